import jax


def run():
    first, second = jax.random.split(jax.random.key(0))  # note: unused-key
    return jax.random.normal(first, (3,)), jax.random.uniform(first, (3,))  # bug: key-reuse
