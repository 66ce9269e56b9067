import jax


class Store:
    pass


store = Store()


@jax.jit
def f(x):
    setattr(store, "value", x)  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
