import jax


def remember(store, x):
    store.append(x)  # bug: leaked-tracer


history = []


@jax.jit
def f(x):
    remember(history, x)
    return x


def run():
    return f(1.0)
