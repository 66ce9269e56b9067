from functools import partial

import jax


class Config:
    def __init__(self, n):
        self.n = n


@partial(jax.jit, static_argnums=1)  # warning: recompiles
def f(x, config):
    return x * config.n


def run():
    return [f(1.0, Config(2)) for _ in range(5)]
