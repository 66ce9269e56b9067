import jax


def run():
    key = jax.random.key(0)
    first = jax.random.normal(key, (3,))  # note: key-reuse
    return first, jax.random.normal(key, (3,))  # jax-explorer: on purpose
