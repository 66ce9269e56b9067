import jax


def apply(x):
    def step(y):  # warning: recompiles
        return y * 2

    return jax.jit(step)(x)


def run():
    x = 1.0
    for _ in range(4):
        x = apply(x)
    return x
