import jax

log = []


@jax.jit
def f(x):
    log.extend([x, x + 1])  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
