import jax


def run():
    w = 1.0
    f = jax.jit(lambda x: x * w)
    a = f(1.0)
    w = 3.0  # bug: host-state
    return a, f(1.0)
