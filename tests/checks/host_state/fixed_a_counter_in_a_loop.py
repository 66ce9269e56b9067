import jax

counter = 0


@jax.jit
def f(x, counter):
    counter += 1
    return x * counter, counter


def run():
    global counter
    x = 1.0
    for _ in range(3):
        x, counter = f(x, counter)
    return x
