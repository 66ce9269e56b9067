from functools import partial

import jax


class Model:
    steps = 0

    @partial(jax.jit, static_argnums=0)
    def step(self, x, steps):
        steps += 1
        return x + steps, steps


def run():
    model = Model()
    a, model.steps = model.step(1.0, model.steps)
    result, model.steps = model.step(1.0, model.steps)
    return a, result
