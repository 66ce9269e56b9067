import jax

rate = 0.1
step = jax.jit(lambda x: x - rate)
first = step(1.0)
rate = 0.01  # bug: host-state
second = step(1.0)


def run():
    return first, second
