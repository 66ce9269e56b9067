import jax

callbacks = []


@jax.jit
def f(x):
    callbacks.append(lambda: x)  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
