import jax


class Store:
    pass


store = Store()


@jax.jit
def f(x):
    store.last = x  # bug: leaked-tracer
    return x


def run():
    f(1.0)
    return store.last is None
