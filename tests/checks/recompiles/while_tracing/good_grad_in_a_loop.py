import jax


def run():
    w = 1.0
    for _ in range(5):
        w = w - 0.1 * jax.grad(lambda v: v**2)(w)
    return w
