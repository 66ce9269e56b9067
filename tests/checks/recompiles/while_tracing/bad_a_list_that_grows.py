import jax


@jax.jit  # warning: recompiles
def f(xs):
    return sum(xs)


def run():
    xs, out = [], []
    for i in range(5):
        xs.append(float(i))
        out.append(f(xs))
    return out
