import jax


def run():
    key = jax.random.key(0)
    first = jax.random.normal(key, (3,))  # bug: key-reuse
    a, b = jax.random.split(key)
    return first, jax.random.normal(a, (3,)), jax.random.normal(b, (3,))
