"""Keys that are used again in training, loops, states and layers, and what the fixes write."""

# ruff: noqa: E701
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import random

X = jnp.ones(2)


def loss(w, x, y, key):
    kept = jnp.where(random.bernoulli(key, 0.5, (3, 2)), x @ w, 0.0)
    return jnp.mean((kept - y) ** 2)


def _batches(steps=3):
    return jnp.ones((4, 2)), jnp.ones((steps, 3, 4)), jnp.ones((steps, 3, 2)), random.key(0)


def noise(x, key):
    return x + random.normal(key, x.shape)


# -- programs -------------------------------------------------------------------------------------


def carried_on_from_step_to_step():  # bug: key-reuse
    # fixed "key, subkey = random.split(key)", "w = w - 0.1 * jax.grad(loss)(w, *batch, subkey)"
    w, xs, ys, key = _batches()

    def step(carry, batch):
        w, key = carry
        w = w - 0.1 * jax.grad(loss)(w, *batch, key)
        return (w, key), None

    return jax.lax.scan(step, (w, key), (xs, ys))[0][0]


def repeated_for_the_steps():  # bug: key-reuse
    # fixed "return jax.lax.scan(step, w, (xs, ys, random.split(key, len(xs))))[0]"
    w, xs, ys, key = _batches()

    def step(w, batch):
        return w - 0.1 * jax.grad(loss)(w, *batch), None

    return jax.lax.scan(step, w, (xs, ys, jnp.stack([key] * len(xs))))[0]


def layers_in_a_dict():
    # fixed "key, *subkeys = random.split(key, 3)",
    # 'return {"w": random.normal(subkeys[0], (3,)), "v": random.normal(subkeys[1], (2,)), "u": random.normal(key)}'
    key = random.key(0)
    return {"w": random.normal(key, (3,)), "v": random.normal(key, (2,)), "u": random.normal(key)}  # bug: key-reuse


def layers_in_a_comprehension():
    # fixed "return [random.normal(random.fold_in(key, i), (m, n)) for i, (m, n) in enumerate(sizes)]"
    sizes, key = ((3, 2), (2, 1)), random.key(0)
    return [random.normal(key, (m, n)) for m, n in sizes]  # bug: key-reuse


def made_in_each_epoch():
    # fixed "order.append(random.permutation(random.fold_in(random.key(0), epoch), 4))"
    order = []
    for epoch in range(3):
        order.append(random.permutation(random.key(0), 4))  # bug: key-reuse
    return order


def a_seed_that_counts_meets_another():
    # fixed "w = w + random.normal(random.fold_in(random.key(2), epoch), (2,))"
    w = random.normal(random.key(1), (2,))  # bug: key-reuse
    for epoch in range(3):
        w = w + random.normal(random.key(epoch), (2,))
    return w


def two_helper_calls_in_one_line():  # bug: key-reuse
    # fixed "key, subkey = random.split(key)", "return noise(X, subkey) - noise(2 * X, key=key)"
    key = random.key(0)
    return noise(X, key) - noise(2 * X, key=key)


def drawn_from_then_split():
    # fixed "key, subkey = random.split(key)", "x = random.normal(subkey, (2,))"
    key = random.key(0)
    x = random.normal(key, (2,))  # bug: key-reuse
    first, second = random.split(key)
    return x, random.normal(first), random.normal(second)


# fmt: off
def drawn_from_then_folded_into():
    # fixed "if True: key, subkey = random.split(key); x = random.normal(subkey)  # normal(key) stays"
    key = random.key(0)
    if True: x = random.normal(key)  # normal(key) stays  # bug: key-reuse
    return x, [random.normal(random.fold_in(key, i)) for i in range(2)]
# fmt: on


class State(NamedTuple):
    w: Any
    key: Any


def step(state, x):
    return state._replace(w=state.w + x * random.normal(state.key)), None  # bug: key-reuse


def in_a_state():
    # fixed "key, subkey = random.split(state.key)",
    # "return state._replace(w=state.w + x * random.normal(subkey), key=key), None"
    xs = jnp.ones(3)
    return jax.lax.scan(step, State(0.0, random.key(0)), xs)[0].w


def in_an_array_of_keys():
    # fixed "return random.normal(random.fold_in(k[0], 0)), random.normal(random.fold_in(k[0], 1)), random.normal(k[1])"
    k = random.split(random.key(0))
    return random.normal(k[0]), random.normal(k[0]), random.normal(k[1])  # bug: key-reuse


def in_a_fori_loop():
    # fixed "return jax.lax.fori_loop(0, 3, lambda i, x: x + random.normal(random.fold_in(key, i), (2,)), x)"
    key, x = random.key(0), jnp.zeros(2)
    return jax.lax.fori_loop(0, 3, lambda _, x: x + random.normal(key, (2,)), x)  # bug: key-reuse


def by_two_samplers():
    # fixed "key, subkey = random.split(key)", "a = random.normal(subkey)"
    key = random.key(0)
    a = random.normal(key)  # bug: key-reuse
    return a + random.uniform(key)
