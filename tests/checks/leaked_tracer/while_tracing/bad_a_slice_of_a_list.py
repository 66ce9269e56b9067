import jax

cells = [0, 0]


@jax.jit
def f(x):
    cells[:] = [x, x]  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
