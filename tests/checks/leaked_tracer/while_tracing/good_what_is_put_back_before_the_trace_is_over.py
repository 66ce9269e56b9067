import jax

stack = []


@jax.jit
def f(x):
    stack.append(x)  # note: host-state
    y = stack.pop()  # note: host-state
    return y * 2


def run():
    return f(1.0)
