import jax


@jax.jit
def f(x):
    return x + 1


def run():
    x = f(1)
    for _ in range(5):
        x = f(x)
    return x
