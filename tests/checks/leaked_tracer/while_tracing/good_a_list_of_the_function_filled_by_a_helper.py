import jax


@jax.jit
def f(x):
    out = []

    def add(y):
        out.append(y)

    add(x)
    jax.tree.map(add, [x, x])
    return sum(out)


def run():
    return f(1.0)
