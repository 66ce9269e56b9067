import jax


@jax.jit
def f(x):
    total = 0.0

    def add(y):
        nonlocal total
        total = total + y

    add(x)
    add(2 * x)
    return total


def run():
    return f(1.0)
