import jax


def numbers():
    n = 0
    while True:
        n += 1
        yield n


source = numbers()


@jax.jit
def f(x):
    return x * next(source)  # bug: host-state


def run():
    return f(1.0)
