from functools import partial

import jax


@partial(jax.jit, static_argnames="n")  # warning: recompiles
def f(x, n):
    return x * n


def run():
    return [f(1.0, n=n) for n in range(5)]
