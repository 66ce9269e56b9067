# %% right 1: a split in the step
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    keys = jax.random.split(key, len(x))
    keep = jax.vmap(lambda example, key: keep_mask(key, rate, example.shape))(x, keys)
    return step(weights, x, y, rate, keep)


# %% right 1: one big draw
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))


# %% right 1: the number of the example, folded in
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    def mask(example, number):
        return keep_mask(jax.random.fold_in(key, number), rate, example.shape)

    return step(weights, x, y, rate, jax.vmap(mask)(x, jnp.arange(len(x))))


# %% wrong 1: nothing changed
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    keep = jax.vmap(lambda example: keep_mask(key, rate, example.shape))(x)
    return step(weights, x, y, rate, keep)


# %% wrong 1: without jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))


# %% wrong 1: masks from NumPy
import numpy as np


@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, np.random.default_rng(0).uniform(size=x.shape) > 0.25)


# %% wrong 1: an own key, and not the one that comes in
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(jax.random.key(7), rate, x.shape))


# %% wrong 1: dropped and kept the wrong way round
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, jax.random.bernoulli(key, rate, x.shape))


# %% right 2: as the exercise says
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keep = keep_mask(key, rate, x.shape)
    return step(weights, x, y, rate, keep)


# %% right 2: bernoulli itself
@jax.jit
def key_per_example(weights, x, y, rate, key):
    return step(weights, x, y, rate, jax.random.bernoulli(key, 1 - rate, x.shape))


# %% wrong 2: nothing changed
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keys = jax.random.split(key, len(x))
    keep = jax.vmap(lambda example, key: keep_mask(key, rate, example.shape))(x, keys)
    return step(weights, x, y, rate, keep)


# %% wrong 2: one mask for the batch
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keep = jnp.broadcast_to(keep_mask(key, rate, x.shape[1:]), x.shape)
    return step(weights, x, y, rate, keep)


# %% wrong 2: without jit
def key_per_example(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))


# %% wrong 2: an own key, and not the one that comes in
@jax.jit
def key_per_example(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(jax.random.key(7), rate, x.shape))
