import jax


@jax.jit
def f(xs):
    out = []
    jax.tree.map(lambda x: out.append(x), xs)
    return sum(out)


def run():
    return f([1.0, 2.0])
