import jax

counter = 0


@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    return x * counter


def run():
    return f(1.0) if counter == 0 else f(2.0)
