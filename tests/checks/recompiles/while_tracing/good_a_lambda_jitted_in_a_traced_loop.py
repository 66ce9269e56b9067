import jax


@jax.jit
def outer(x):
    for _ in range(5):
        x = jax.jit(lambda y: y + 1)(x)
    return x


def run():
    return outer(1.0)
