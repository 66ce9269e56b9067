import jax

chosen = []


@jax.jit
def f(x):
    return jax.lax.cond(x > 0, lambda y: (chosen.append(y), y)[1], lambda y: -y, x)  # bug: leaked-tracer


def run():
    return f(1.0)
