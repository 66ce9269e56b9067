import jax


def normal(x):
    return x


def uniform(x):
    return x * 2


@jax.jit
def f(x):
    return normal(x) + uniform(x)


def run():
    return f(1.0)
