import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: object
    n: object


@jax.jit
def step(state):
    state.n = state.n + 1
    return state


def run():
    state = State(jnp.ones(2), 0)
    for _ in range(3):
        state = step(state)
    return state.x
