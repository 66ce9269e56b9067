"""Keys of rbg, which JAX batches together."""

import jax

# -- programs -------------------------------------------------------------------------------------


def unsafe_rbg():
    # no fix
    keys = jax.random.split(jax.random.key(0, impl="unsafe_rbg"), 4)
    return jax.vmap(jax.random.normal)(keys)  # note: rbg-batched


def one_draw():
    # in full
    return jax.random.normal(jax.random.key(0, impl="rbg"), (4,))
