import jax

step = jax.jit(lambda x: x + 1)


def run():
    x = 1.0
    for _ in range(10):
        x = step(x)
    return x
