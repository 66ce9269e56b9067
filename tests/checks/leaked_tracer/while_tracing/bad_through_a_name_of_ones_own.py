import jax

history = []


@jax.jit
def f(x):
    mine = history
    mine.append(x)  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
