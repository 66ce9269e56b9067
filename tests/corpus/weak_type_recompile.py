"""Functions that a weak type compiles again, as they are met in issues and in teaching, in our own words.

After https://github.com/jax-ml/jax/issues/3163 and https://github.com/jax-ml/jax/issues/4274 (a sum that begins as a
Python number), https://github.com/google/jaxopt/issues/451 (a step size in a state),
https://github.com/pyro-ppl/numpyro/issues/463 (warm-up and sampling), https://github.com/google-deepmind/optax/issues/1440
(an average that begins as 0.0), https://github.com/liesel-devs/liesel/issues/364 (a state loses its weak types),
https://github.com/PlasmaControl/DESC/pull/1963 (attributes made by ``float``),
https://github.com/patrick-kidger/equinox/issues/817 and https://github.com/google-deepmind/mujoco/issues/2306.

Sound ones: functions that a weak type does not compile again, or that need another program anyway.
The first are these issues as they were closed, with numbers of one type in every call.
"""

import functools

import jax
import jax.numpy as jnp
from jax import jit

X = jnp.linspace(-1.0, 2.0, 6)
ONE = jnp.float32(1.0)


# -- programs -------------------------------------------------------------------------------------


def a_sum_of_steps():
    step = jax.jit(lambda total, n: total + n * jnp.int32(1))
    total = 0
    for n in range(4):
        total = step(total, n)  # warning: weak-type-recompile
    return total


def a_name_of_the_argument():
    @jit
    def step(x, temperature):
        return x * temperature

    step(X, temperature=1.0)
    return step(X, temperature=jnp.float32(0.5))  # warning: weak-type-recompile


def a_learning_rate_of_a_schedule():
    update = jax.jit(lambda w, rate: w - rate * w)
    w = update(X, 0.1)
    for n in range(1, 3):
        w = update(w, jnp.exp(-jnp.float32(n)))  # warning: weak-type-recompile
    return w


def a_state_in_a_dictionary():
    # fixed 'state = {"x": X, "average": jnp.float32(0.0)}'
    # in place of 'state = {"x": X, "average": 0.0}'
    @jax.jit
    def update(state):
        return {"x": state["x"] * 0.9, "average": 0.9 * state["average"] + 0.1 * jnp.mean(state["x"])}

    state = {"x": X, "average": 0.0}
    for _ in range(3):
        state = update(state)  # warning: weak-type-recompile
    return state


def a_complex_number():
    f = jax.jit(lambda z: jnp.abs(z))
    f(1j)
    return f(jnp.complex64(2j))  # warning: weak-type-recompile


def in_a_method():
    class Filter:
        def __init__(self):
            self.value = 0.0
            self.step = jax.jit(lambda value, x: 0.8 * value + 0.2 * x)

        def __call__(self, x):
            self.value = self.step(self.value, x)  # warning: weak-type-recompile
            return self.value

    low_pass = Filter()
    return [low_pass(x) for x in X[:3]]


def in_a_helper():
    scaled = jax.jit(lambda x, by: x * by)

    def call(by):
        return scaled(X, by)  # warning: weak-type-recompile

    return call(2.0) + call(ONE)


def a_gradient_in_a_loop():
    @jax.jit
    def loss(w):
        return (w - ONE) ** 2

    w = 0.0
    for _ in range(3):
        w = w - ONE * 0.1 * jax.grad(loss)(w)  # warning: weak-type-recompile
    return w


# -- sound ----------------------------------------------------------------------------------------


def a_sum_that_begins_as_an_array():
    step = jax.jit(lambda total, n: total + n * jnp.int32(1))
    total = jnp.int32(0)
    for n in range(4):
        total = step(total, n)
    return total


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


# -- fixed ----------------------------------------------------------------------------------------


def carry():
    # fixed "x = step(jnp.float32(x), 0.1)"
    @jax.jit
    def step(x, rate):
        return x - rate * jnp.cos(x) * jnp.ones(())

    x = 0.5
    for _ in range(4):
        x = step(x, 0.1)  # warning: weak-type-recompile
    return x


def first_call():
    # fixed "first = double(jnp.int32(3))"
    double = jax.jit(lambda x: 2 * x)
    first = double(3)
    return first, double(jnp.int32(4))  # warning: weak-type-recompile


def same_type():
    # in full
    step = jax.jit(lambda x, rate: x - rate * jnp.cos(x))
    x = jnp.float32(0.5)
    for number in range(4):
        x = step(x, 0.1 / (number + 1))
    return x
