import jax

log = []


@jax.jit
def f(x):
    log.append(("x", {"value": x}))  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
