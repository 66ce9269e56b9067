import jax


def run():
    keys = jax.random.split(jax.random.key(0, impl="unsafe_rbg"), 4)
    return jax.vmap(jax.random.normal)(keys)  # note: rbg-batched
