import jax


def run():
    x = 1.0
    with jax.disable_jit():
        for _ in range(5):
            x = jax.jit(lambda y: y + 1)(x)
    return x
