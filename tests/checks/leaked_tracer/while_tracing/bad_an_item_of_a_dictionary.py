import jax

cache = {}


@jax.jit
def f(x):
    cache["y"] = x * 2  # bug: leaked-tracer
    return cache["y"]


def run():
    return f(1.0)
