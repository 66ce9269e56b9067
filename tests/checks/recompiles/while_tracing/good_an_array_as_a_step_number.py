import jax


@jax.jit
def f(x, step):
    return x + step


def run():
    x = 0.0
    for step in range(8):
        x = f(x, step)
    return x
