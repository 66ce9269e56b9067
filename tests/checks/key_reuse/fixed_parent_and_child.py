import jax


def run():
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    first = jax.random.normal(subkey, (3,))
    a, b = jax.random.split(key)
    return first, jax.random.normal(a, (3,)), jax.random.normal(b, (3,))
