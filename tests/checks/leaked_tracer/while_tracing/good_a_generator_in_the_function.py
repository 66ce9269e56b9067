import jax


@jax.jit
def f(x):
    def powers():
        y = x
        while True:
            yield y
            y = y * x

    source = powers()
    return next(source) + next(source)


def run():
    return f(2.0)
