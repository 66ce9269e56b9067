import jax


@jax.jit
def f(tree):
    names = list(tree)
    names.sort()
    names.reverse()
    return [tree[n] for n in names]


def run():
    return f({"b": 1.0, "a": 2.0})
