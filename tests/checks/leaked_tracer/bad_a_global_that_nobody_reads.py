import jax

last = None


@jax.jit
def f(x):
    global last
    last = x + 1  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
