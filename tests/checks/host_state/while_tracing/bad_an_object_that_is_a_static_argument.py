from functools import partial

import jax


class Config:
    def __init__(self):
        self.rate = 1.0


@partial(jax.jit, static_argnums=1)
def step(x, config):
    config.rate = config.rate * 0.9  # bug: host-state
    return x * config.rate


def run():
    config = Config()
    return step(1.0, config), step(1.0, config)
