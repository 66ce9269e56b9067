import jax

visits = [0]


@jax.jit
def f(x):
    def yes(y):
        visits[0] += 1  # bug: host-state
        return y * visits[0]

    return jax.lax.cond(x > 0, yes, lambda y: y, x)


def run():
    return f(1.0), f(1.0)
