import jax

cache = {}


@jax.jit
def f(x):
    cache["x"] = x  # bug: leaked-tracer
    return cache["x"] * 2


def run():
    return f(1.0)
