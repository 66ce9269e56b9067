import jax


@jax.jit
def f(xs, key):
    keys = iter(jax.random.split(key, 3))
    return [x + jax.random.normal(next(keys)) for x in xs]


def run():
    return f([1.0, 2.0, 3.0], jax.random.key(0))
