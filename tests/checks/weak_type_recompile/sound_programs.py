"""Functions that a weak type does not compile again, or that need another program anyway; in our own words.

The first ones are the issues of ``broken_programs.py`` as they were closed: numbers of one type in every call.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

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


def a_sum_that_stays_weak():
    step = jax.jit(lambda total: total * 2 + 1)
    total = 0
    for _ in range(4):
        total = step(total)
    return total


def a_numpy_number_first():
    f = jax.jit(lambda x: x + np.float32(0.0))
    return f(f(np.float32(0.0)))


def a_new_python_number_each_time():
    update = jax.jit(lambda w, rate: w - rate * w)
    w = X
    for n in range(4):
        w = update(w, 0.1 / (n + 1))
    return w


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


def another_dtype():
    f = jax.jit(lambda x: x * 2)
    return f(1), f(1.5)


def another_dtype_as_an_array():
    f = jax.jit(lambda x: x * 2)
    return f(1.0), f(jnp.int32(3))


def another_shape():
    f = jax.jit(lambda x: x * 2)
    return f(1.0), f(X)


def another_shape_and_a_weak_type():
    f = jax.jit(lambda x, rate: x * rate)
    return f(X, 1.0), f(X[:3], ONE)


def another_static_value():
    f = jax.jit(lambda x, n: x**n, static_argnums=1)
    return f(X, 2), f(X, 3)


def a_static_value_and_a_weak_type():
    @functools.partial(jax.jit, static_argnames="n")
    def f(x, n):
        return x * n

    return f(1.0, n=2), f(ONE, n=3)


def another_structure():
    f = jax.jit(lambda tree: jax.tree.leaves(tree)[0] * 2)
    return f({"a": 1.0}), f([ONE])


def another_function_object():
    def made():
        return jax.jit(lambda x: x + 1)

    return made()(1.0), made()(ONE)


def two_functions():
    f, g = jax.jit(jnp.sin), jax.jit(jnp.cos)
    return f(1.0), g(ONE)


def helpers_within_a_program():
    @jax.jit
    def scaled(x, by):
        return x * by

    @jax.jit
    def whole(x):
        return scaled(x, 2.0) + scaled(x, ONE)

    return whole(X)


def a_loop_within_a_program():
    scaled = jax.jit(lambda x, by: x * by)

    @jax.jit
    def whole(x):
        by = 1.0
        for _ in range(3):
            x = scaled(x, by)
            by = by * ONE
        return x

    return whole(X)


def a_scan_promotes_its_carry():
    @jax.jit
    def whole(x):
        return lax.scan(lambda total, each: (total + each, None), 0.0, x)[0]

    return whole(X)


def a_loop_of_lax():
    return jax.jit(lambda n: lax.fori_loop(0, n, lambda i, total: total + i, 0))(4)


def without_jit():
    def f(x):
        return x + ONE

    return f(f(0.0))


def only_lowered():
    f = jax.jit(lambda x: x + ONE)
    text = f.lower(1.0).as_text()
    return f(ONE), len(text)


def only_a_shape():
    f = jax.jit(lambda x: x + ONE)
    return jax.eval_shape(f, 1.0), f(ONE)


def only_a_jaxpr():
    f = jax.jit(lambda x: x + ONE)
    return str(jax.make_jaxpr(f)(1.0)), f(ONE)


def examples_and_a_single_one():
    f = jax.jit(lambda x: x * 2)
    return f(1.0), jax.vmap(f)(X)


def a_slope_and_a_value():
    loss = jax.jit(lambda w: (w - 1.0) ** 2)
    return jax.grad(loss)(0.5), loss(ONE)


def slopes_at_two_places():
    loss = jax.jit(lambda w: (w - 1.0) ** 2)
    return jax.grad(loss)(0.5), jax.grad(loss)(ONE)


def a_slope_that_stays_weak():
    loss = jax.jit(lambda w: (w - 1.0) ** 2)
    w = 0.5
    for _ in range(3):
        w = w - 0.1 * jax.grad(loss)(w)
    return w


def booleans():
    # A bool has no weak type: https://github.com/jax-ml/jax/pull/11388.
    f = jax.jit(lambda x, flag: jnp.where(flag, x, -x))
    return f(X, True), f(X, jnp.bool_(False))


def numbers_out_of_arrays():
    f = jax.jit(lambda x: x * 2)
    return f(X[0].item()), f(float(X[1])), f(3.0)


def converted_before_each_call():
    f = jax.jit(lambda x: x * ONE)
    x = 1.0
    for _ in range(3):
        x = f(jnp.asarray(x, jnp.float32))
    return x


def functions_of_jax():
    return jnp.add(1.0, 2.0), jnp.add(ONE, 2.0), jnp.where(True, 1.0, ONE), jax.nn.relu(1.0), jax.nn.relu(ONE)


def a_number_for_each_dtype():
    f = jax.jit(lambda x, rate: x * rate)
    return f(X, 0.5), f(X.astype(jnp.bfloat16), jnp.bfloat16(0.5))
