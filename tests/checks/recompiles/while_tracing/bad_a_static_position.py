from functools import partial

import jax


@partial(jax.jit, static_argnums=0)  # warning: recompiles
def f(step, x):
    return x + step


def run():
    x = 0.0
    for step in range(6):
        x = f(step, x)
    return x
