import jax

values = []
out = jax.jit(lambda x: (values.append(x), x)[1])(1.0)  # bug: leaked-tracer


def run():
    return out
