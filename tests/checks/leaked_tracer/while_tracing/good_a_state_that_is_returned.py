import jax


@jax.jit
def step(state):
    state["trail"] = state["trail"] + [state["x"]]
    state["x"] = state["x"] * 2
    return state


def run():
    return step({"x": 1.0, "trail": []})
