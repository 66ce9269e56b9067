import jax


def run():
    weight = 1.0
    f = jax.jit(lambda x: x * weight)
    a = f(1.0)
    weight = 3.0  # bug: host-state
    return a, f(1.0)
