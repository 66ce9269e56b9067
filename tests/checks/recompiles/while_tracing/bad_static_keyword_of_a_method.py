from functools import partial

import jax


class Model:
    @partial(jax.jit, static_argnames=("self", "step"))  # warning: recompiles
    def __call__(self, x, step):
        return x + step

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return isinstance(other, Model)


def run():
    model, x = Model(), 0.0
    for i in range(5):
        x = model(x, step=i)
    return x
