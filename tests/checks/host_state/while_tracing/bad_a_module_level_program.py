import jax

scale = 1.0
f = jax.jit(lambda x: x * scale)
first = f(2.0)
scale = 3.0  # bug: host-state
second = f(2.0)


def run():
    return second
