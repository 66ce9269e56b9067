import jax


class Layer:
    made = 0


@jax.jit
def f(x):
    Layer.made += 1  # bug: host-state
    return x * Layer.made


def run():
    return f(1.0)
