import jax

kept = []


@jax.jit
def f(x):
    kept.extend([x, x])  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
