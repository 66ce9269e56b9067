import jax


def add(x, seen=[]):
    seen.append(x)  # bug: leaked-tracer
    return x


def run():
    return jax.jit(lambda x: add(x))(1.0)
