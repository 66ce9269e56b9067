import jax

counter = 0


@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    return x * counter


def run():
    return [f(1.0) for _ in range(3)]
