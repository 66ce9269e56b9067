import jax

values = []


@jax.jit
def f(x):
    jax.debug.callback(values.append, x)
    return x * 2


def run():
    return f(1.0)
