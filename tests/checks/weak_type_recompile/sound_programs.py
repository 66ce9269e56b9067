"""Functions that a weak type does not compile again, or that need another program anyway; in our own words.

The first ones are the issues of ``broken_programs.py`` as they were closed: numbers of one type in every call.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

KEY = jax.random.key(0)
X = jnp.linspace(-1.0, 2.0, 6)
ONE = jnp.float32(1.0)
Y = np.cos(np.linspace(0.0, 1.0, 6)).astype(np.float32)


def a_sum_that_begins_as_an_array():
    step = jax.jit(lambda total, n: total + n * jnp.int32(1))
    total = jnp.int32(0)
    for n in range(4):
        total = step(total, n)
    return total


def a_state_of_arrays():
    class State(NamedTuple):
        x: Any
        size: Any

    update = jax.jit(lambda s: State(s.x - s.size * s.x, jnp.minimum(s.size, ONE)))
    state = State(X, jnp.float32(0.5))
    for _ in range(3):
        state = update(state)
    return state


def zeros_of_arrays():
    ema = jax.jit(lambda old, new: jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, old, new))
    old = {"w": jnp.zeros(()), "b": jnp.zeros(())}
    for _ in range(2):
        old = ema(old, {"w": ONE, "b": ONE})
    return old


def another_static_value():
    f = jax.jit(lambda x, n: x**n, static_argnums=1)
    return f(X, 2), f(X, 3)


def a_static_value_and_a_weak_type():
    @functools.partial(jax.jit, static_argnames="n")
    def f(x, n):
        return x * n

    return f(1.0, n=2), f(ONE, n=3)


def two_functions():
    f, g = jax.jit(jnp.sin), jax.jit(jnp.cos)
    return f(1.0), g(ONE)


def without_jit():
    def f(x):
        return x + ONE

    return f(f(0.0))


def only_lowered():
    f = jax.jit(lambda x: x + ONE)
    text = f.lower(1.0).as_text()
    return f(ONE), len(text)


def examples_and_a_single_one():
    f = jax.jit(lambda x: x * 2)
    return f(1.0), jax.vmap(f)(X)


def a_slope_and_a_value():
    loss = jax.jit(lambda w: (w - 1.0) ** 2)
    return jax.grad(loss)(0.5), loss(ONE)


def a_slope_that_stays_weak():
    loss = jax.jit(lambda w: (w - 1.0) ** 2)
    w = 0.5
    for _ in range(3):
        w = w - 0.1 * jax.grad(loss)(w)
    return w
