import jax

state = {"step": 0}


@jax.jit
def f(x):
    state["step"] += 1  # bug: host-state
    return x * state["step"]


def run():
    return f(1.0), f(1.0)
