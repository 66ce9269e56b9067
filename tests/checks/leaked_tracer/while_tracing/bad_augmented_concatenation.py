import jax

log = []


@jax.jit
def f(x):
    global log
    log += [x]  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
