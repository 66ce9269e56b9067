from functools import partial

import jax


class Model:
    steps = 0

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        self.steps += 1  # bug: host-state
        return x + self.steps


def run():
    model = Model()
    a = model.step(1.0)
    return a, model.step(1.0)
