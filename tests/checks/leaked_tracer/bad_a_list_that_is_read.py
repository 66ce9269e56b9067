import jax

store = []


@jax.jit
def f(x):
    store.append(x * 2)  # bug: leaked-tracer
    return x


def run():
    y = f(1.0)
    return y + len(store)
