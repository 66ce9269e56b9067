import dataclasses

import jax


@dataclasses.dataclass
class State:
    x: object
    n: int = 0


@jax.jit
def f(x):
    state = State(x)
    state.n += 1
    state.x = state.x * 2
    return dataclasses.replace(state, n=3).x


def run():
    return f(1.0)
