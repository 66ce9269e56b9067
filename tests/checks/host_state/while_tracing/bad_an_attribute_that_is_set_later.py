from functools import partial

import jax


class Model:
    def __init__(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.scale


def run():
    model = Model()
    a = model(1.0)
    model.scale = 2.0  # bug: host-state
    return a, model(1.0)
