import jax


def pairs(x):
    for i in range(3):
        yield x * i


@jax.jit
def f(x):
    numbers = iter(pairs(x))
    return next(numbers) + next(numbers)


def run():
    return f(1.0)
