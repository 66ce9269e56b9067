"""Small programs, each with something of its own to show in a recording."""

from __future__ import annotations

START = "import jax\nimport jax.numpy as jnp\n\n"
PROGRAMS: dict[str, str] = {
    "one draw": "print(jax.random.normal(jax.random.key(0), (3,)))\n",
    "a key used twice": "key = jax.random.key(0)\njax.random.normal(key, (4,))\njax.random.uniform(key, (4,))\n",
    "a key drawn from and split": "key = jax.random.key(1)\njax.random.normal(key)\njax.random.split(key)\n",
    "a batch": """\
keys = jax.random.split(jax.random.key(0), 8)
jax.vmap(lambda key: jax.random.normal(key, (3,)))(keys)
""",
    "a shared key": """\
def add_noise(x, key):
    return x + jax.random.normal(key, x.shape)

jax.vmap(add_noise, in_axes=(0, None))(jnp.zeros((6, 4)), jax.random.key(0))
""",
    "a key repeated in a batch": """\
keys = jnp.stack([jax.random.key(0)] * 3)
jax.vmap(lambda key: jax.random.normal(key, (2,)))(keys)
""",
    "an unused key": "first, second = jax.random.split(jax.random.key(0))\njax.random.normal(first, (2, 2))\n",
    "fold_in": """\
key = jax.random.key(7)
for step in range(3):
    jax.random.bernoulli(jax.random.fold_in(key, step))
""",
    "a chain": """\
key = jax.random.key(0)
for step in range(12):
    key, now = jax.random.split(key)
    jax.random.normal(now, (2,))
""",
    "inside a sampler": "jax.random.permutation(jax.random.key(0), 8)\n",
    "an old key": "jax.random.normal(jax.random.PRNGKey(3), (2, 3))\n",
    "another generator": "jax.random.normal(jax.random.key(0, impl='rbg'), (2, 3))\n",
    "a large fan": "keys = jax.random.split(jax.random.key(0), 60)\njax.vmap(jax.random.normal)(keys)\n",
    "nested vmaps": """\
keys = jax.random.split(jax.random.key(0), (2, 3))
jax.vmap(jax.vmap(lambda key: jax.random.normal(key, (2,))))(keys)
""",
    "an error": "key = jax.random.key(0)\njax.random.normal(key, (2,))\njnp.ones(3) + jnp.ones(4)\n",
    "an error with markup": "jax.random.normal(jax.random.key(0))\nraise ValueError('<b>`a` & b</b></script>')\n",
    "no keys": "jnp.ones(3).sum()\n",
    "a scan": """\
def step(key, _):
    key, now = jax.random.split(key)
    return key, jax.random.normal(now)

jax.lax.scan(step, jax.random.key(0), length=4)
""",
    "two faults": """\
key = jax.random.key(5)
jax.random.normal(key, (2,)), jax.random.normal(key, (2,))
jax.vmap(lambda x: x * jax.random.uniform(jax.random.key(9)))(jnp.ones(4))
""",
    "a training loop": """\
@jax.jit
def step(w, x, key):
    loss = jnp.mean((w - x) ** 2)
    return w - 0.1 * (w - x) + jax.random.normal(key, w.shape), {"loss": loss, "norm": jnp.sum(w)}

w, key = jnp.ones(3), jax.random.key(0)
for n in range(12):
    w, metrics = step(w, jnp.nan if n == 7 else n, jax.random.fold_in(key, n))
""",
}
