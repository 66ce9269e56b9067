"""Realistic programs whose keys are shared or reused, each with the lines that fix it."""

from __future__ import annotations

from typing import NamedTuple


class MendCase(NamedTuple):
    """One program; its variant is ``run``."""

    name: str
    code: str
    after: tuple[str, ...]
    """The lines that the first fix changes."""


NETWORK = """
def dropout(key, h):
    return jnp.where(jax.random.bernoulli(key, 0.5, h.shape), h, 0.0)

def loss(w, x, y, key):
    return jnp.mean((dropout(key, x @ w) - y) ** 2)

def inputs(steps=3):
    return {"w": jnp.ones((4, 2)), "xs": jnp.ones((steps, 3, 4)), "ys": jnp.ones((steps, 3, 2)),
            "key": jax.random.key(0)}
"""
BOOTSTRAP = """
def mean(key, data):
    return data[jax.random.randint(key, data.shape, 0, 9)].mean()

def run(data=jnp.arange(9.0)):
    key = jax.random.key(0)
    keys = {keys}
    return jax.vmap(mean, in_axes=(0, None))(keys, data)
"""
SPLIT = "key, subkey = jax.random.split(key)"

CASES = (
    MendCase(
        "the same key carried on from step to step",
        NETWORK + """
def run(w, xs, ys, key):
    def step(carry, batch):
        w, key = carry
        w = w - 0.1 * jax.grad(loss)(w, *batch, key)
        return (w, key), None
    return jax.lax.scan(step, (w, key), (xs, ys))[0][0]
""",
        (SPLIT, "w = w - 0.1 * jax.grad(loss)(w, *batch, subkey)"),
    ),
    MendCase(
        "one key repeated for the steps",
        NETWORK + """
def run(w, xs, ys, key):
    def step(w, batch):
        return w - 0.1 * jax.grad(loss)(w, *batch), None
    return jax.lax.scan(step, w, (xs, ys, jnp.stack([key] * len(xs))))[0]
""",
        ("return jax.lax.scan(step, w, (xs, ys, jax.random.split(key, len(xs))))[0]",),
    ),
    MendCase(
        "a key of the module, under a map with parameters",
        """
KEY = jax.random.key(7)

def noisy(scale, x):
    return x + scale * jax.random.normal(KEY, x.shape)

def run(xs=jnp.ones((3, 2))):
    return jax.vmap(noisy, in_axes=(None, 0))(0.1, xs)
""",
        ("def noisy(scale, x, KEY):",
         "return jax.vmap(noisy, in_axes=(None, 0, 0))(0.1, xs, jax.random.split(KEY, len(xs)))"),
    ),
    MendCase(
        "a key made inside of the map",
        """
def noisy(x):
    key = jax.random.key(0)
    return x + jax.random.normal(key, x.shape)

def run(xs=jnp.ones((3, 2))):
    return jax.vmap(noisy)(xs)
""",
        ("def noisy(x, key):", "return jax.vmap(noisy)(xs, jax.random.split(jax.random.key(0), len(xs)))"),
    ),
    MendCase(
        "a map of a decorated function",
        """
from jax import random
rng = random.key(0)

@jax.vmap
def noisy(x):
    return x + random.normal(rng, x.shape)

def run(xs=jnp.ones((3, 2))):
    return noisy(xs)
""",
        ("def noisy(x, rng):", "return noisy(xs, random.split(rng, len(xs)))"),
    ),
    MendCase(
        "a batch that is a dict",
        """
def model(batch, key):
    return batch["x"] + jax.random.normal(key, batch["x"].shape)

def run():
    batch = {"x": jnp.ones((3, 2)), "y": jnp.ones(3)}
    return jax.vmap(model, in_axes=(0, None))(batch, jax.random.key(0))
""",
        ("return jax.vmap(model, in_axes=(0, 0))(batch, jax.random.split(jax.random.key(0), "
         "jax.tree.leaves(batch)[0].shape[0]))",),
    ),
    *(
        MendCase(f"bootstrap by {keys}", BOOTSTRAP.format(keys=keys), ("keys = jax.random.split(key, 50)",))
        for keys in ("jnp.stack([key] * 50)", "jnp.repeat(key, 50)")
    ),
    MendCase(
        "layers from one key, in a dict",
        """
def run():
    key = jax.random.key(0)
    return {"w": jax.random.normal(key, (3, 2)), "v": jax.random.normal(key, (2, 1)), "u": jax.random.normal(key)}
""",
        ("key, *subkeys = jax.random.split(key, 3)",
         'return {"w": jax.random.normal(subkeys[0], (3, 2)), "v": jax.random.normal(subkeys[1], (2, 1)), '
         '"u": jax.random.normal(key)}'),
    ),
    MendCase(
        "layers from one key, in a comprehension",
        """
def run(sizes=((3, 2), (2, 1))):
    key = jax.random.key(0)
    return [jax.random.normal(key, (m, n)) for m, n in sizes]
""",
        ("return [jax.random.normal(jax.random.fold_in(key, i), (m, n)) for i, (m, n) in enumerate(sizes)]",),
    ),
    MendCase(
        "the same key made in each epoch",
        """
def run():
    order = []
    for epoch in range(3):
        order.append(jax.random.permutation(jax.random.key(0), 4))
    return order
""",
        ("order.append(jax.random.permutation(jax.random.fold_in(jax.random.key(0), epoch), 4))",),
    ),
    MendCase(
        "a seed that counts meets another",
        """
def run():
    w = jax.random.normal(jax.random.key(1), (2,))
    for epoch in range(3):
        w = w + jax.random.normal(jax.random.key(epoch), (2,))
    return w
""",
        ("w = w + jax.random.normal(jax.random.fold_in(jax.random.key(0), epoch), (2,))",),
    ),
    MendCase(
        "two helper calls in one line",
        """
def noise(x, key):
    return x + jax.random.normal(key, x.shape)

def run(x=jnp.ones(2)):
    key = jax.random.key(0)
    return noise(x, key) - noise(2 * x, key=key)
""",
        (SPLIT, "return noise(x, subkey) - noise(2 * x, key=key)"),
    ),
    MendCase(
        "drawn from, then split",
        """
def run():
    key = jax.random.key(0)
    x = jax.random.normal(key, (2,))
    first, second = jax.random.split(key)
    return x, jax.random.normal(first), jax.random.normal(second)
""",
        (SPLIT, "x = jax.random.normal(subkey, (2,))"),
    ),
    MendCase(
        "drawn from, then folded into",
        """
def run():
    key = jax.random.key(0)
    if True: x = jax.random.normal(key, (2,))  # normal(key) stays here, and "key" there
    return x, [jax.random.normal(jax.random.fold_in(key, i)) for i in range(2)]
""",
        ('if True: key, subkey = jax.random.split(key); x = jax.random.normal(subkey, (2,))  '
         '# normal(key) stays here, and "key" there',),
    ),
    MendCase(
        "one key under two maps",
        """
def run(x=jnp.zeros((2, 3, 4))):
    key = jax.random.key(0)
    return jax.vmap(jax.vmap(lambda row: row + jax.random.normal(key, row.shape)))(x)
""",
        ("return jax.vmap(jax.vmap(lambda row, key: row + jax.random.normal(key, row.shape)))"
         "(x, jax.random.split(key, x.shape[:2]))",),
    ),
    MendCase(
        "a key in a state",
        """
from typing import Any, NamedTuple

class State(NamedTuple):
    w: Any
    key: Any

def step(state, x):
    return state._replace(w=state.w + x * jax.random.normal(state.key)), None

def run(xs=jnp.ones(3)):
    return jax.lax.scan(step, State(0.0, jax.random.key(0)), xs)[0].w
""",
        ("key, subkey = jax.random.split(state.key)",
         "return state._replace(w=state.w + x * jax.random.normal(subkey), key=key), None"),
    ),
    MendCase(
        "a key in an array of keys",
        """
def run():
    keys = jax.random.split(jax.random.key(0))
    return jax.random.normal(keys[0]), jax.random.normal(keys[0], (2,)), jax.random.normal(keys[1])
""",
        ("return jax.random.normal(jax.random.fold_in(keys[0], 0)), "
         "jax.random.normal(jax.random.fold_in(keys[0], 1), (2,)), jax.random.normal(keys[1])",),
    ),
    MendCase(
        "a fori_loop",
        """
def run(x=jnp.zeros(2)):
    key = jax.random.key(0)
    return jax.lax.fori_loop(0, 3, lambda _, x: x + jax.random.normal(key, (2,)), x)
""",
        ("return jax.lax.fori_loop(0, 3, lambda i, x: x + jax.random.normal(jax.random.fold_in(key, i), (2,)), x)",),
    ),
)  # fmt: skip
