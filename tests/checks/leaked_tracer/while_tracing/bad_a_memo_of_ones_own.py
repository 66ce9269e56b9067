import jax
import jax.numpy as jnp


def memoize(function):
    memo = {}

    def wrapped(n):
        if n not in memo:
            memo[n] = function(n)  # bug: leaked-tracer
        return memo[n]

    return wrapped


@memoize
def table(n):
    return jnp.cos(jnp.arange(n))


@jax.jit
def f(x):
    return x * table(3)


def run():
    return f(jnp.ones(3))
