import jax

SCALE = 2.0
TABLE = {"a": 1.0}


@jax.jit
def f(x):
    return x * SCALE + TABLE["a"]


def run():
    return [f(1.0) for _ in range(3)]
