import jax


def add(x):
    return x + 1


def run():
    x = 1.0
    for _ in range(10):
        x = jax.jit(add)(x)
    return x
