import jax

memo = {}


@jax.jit
def f(x):
    memo["k"] = memo.setdefault("k", 0) + 1  # bug: host-state
    return x * memo["k"]


def run():
    return f(1.0), f(1.0)
