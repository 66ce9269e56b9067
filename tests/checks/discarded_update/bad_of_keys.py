import jax


def replaced():
    keys = jax.random.split(jax.random.key(0), 3)
    keys.at[0].set(jax.random.key(1))  # bug: discarded-update
    return jax.vmap(jax.random.normal)(keys)
