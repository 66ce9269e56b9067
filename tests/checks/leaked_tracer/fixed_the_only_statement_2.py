import jax

cache = {}


def keep(x):
    jax.debug.callback(lambda value: cache.update({"x": value}), x)


@jax.jit
def f(x):
    keep(x)
    return x


def run():
    return f(1.0)
