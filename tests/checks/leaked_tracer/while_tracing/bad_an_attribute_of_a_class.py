import jax


class Store:
    value = None


@jax.jit
def f(x):
    Store.value = x  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
