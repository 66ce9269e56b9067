import jax

queue = []


@jax.jit
def f(x):
    queue.insert(0, x)  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
