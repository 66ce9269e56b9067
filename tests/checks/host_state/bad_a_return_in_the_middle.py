import jax

counter = 0


@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    if counter > 3:
        return x


def run():
    f(1.0)
    return 0.0
