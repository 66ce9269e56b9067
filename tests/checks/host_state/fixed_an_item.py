import jax

state = {"step": 0}


@jax.jit
def f(x, step):
    step += 1
    return x * step, step


def run():
    a, state["step"] = f(1.0, state["step"])
    b, state["step"] = f(1.0, state["step"])
    return a, b
