import jax

cache = {}


def keep(x):
    cache["x"] = x  # bug: leaked-tracer


@jax.jit
def f(x):
    keep(x)
    return x


def run():
    return f(1.0)
