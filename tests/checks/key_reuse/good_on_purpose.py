import jax


def run():
    key = jax.random.key(0)
    x = jax.random.normal(key, (3,))  # note: key-reuse
    return x, jax.random.normal(key, (3,))  # jax-explorer: on purpose
