import jax


def run():
    x = 1.0
    while x < 10:
        x = jax.jit(lambda y: y * 2)(x)  # warning: recompiles
    return x
