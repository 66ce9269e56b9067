import jax

state = {"step": 0}


@jax.jit
def f(x):
    state["step"] += 1  # bug: host-state
    return x * state["step"]


def run():
    a = f(1.0)
    b = f(1.0)
    return a, b
