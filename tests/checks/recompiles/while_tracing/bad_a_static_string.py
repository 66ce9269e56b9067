from functools import partial

import jax


@partial(jax.jit, static_argnames=("mode",))  # warning: recompiles
def f(x, mode):
    return x


def run():
    return [f(1.0, mode=f"step {i}") for i in range(4)]
