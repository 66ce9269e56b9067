import dataclasses

import jax


@dataclasses.dataclass
class State:
    loss: object = None


state = State()


@jax.jit
def step(w):
    state.loss = w**2  # bug: leaked-tracer
    return w * 0.9


def run():
    return step(1.0)
