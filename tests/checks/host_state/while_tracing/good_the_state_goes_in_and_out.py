import jax


@jax.jit
def step(state, x):
    return {**state, "n": state["n"] + 1}, x * state["n"]


def run():
    state = {"n": 0}
    for _ in range(3):
        state, y = step(state, 1.0)
    return y
