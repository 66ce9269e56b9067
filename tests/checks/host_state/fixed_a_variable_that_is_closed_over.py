import jax


def run():
    w = 1.0
    f = jax.jit(lambda x, w: x * w)
    a = f(1.0, w)
    w = 3.0
    return a, f(1.0, w)
