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


# %% wrong 1: without jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))


# %% wrong 1: masks from NumPy
import numpy as np


@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, np.random.default_rng(0).uniform(size=x.shape) > 0.25)


# %% right 2: as the exercise says
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keep = keep_mask(key, rate, x.shape)
    return step(weights, x, y, rate, keep)


# %% right 2: bernoulli itself
@jax.jit
def key_per_example(weights, x, y, rate, key):
    return step(weights, x, y, rate, jax.random.bernoulli(key, 1 - rate, x.shape))


# %% wrong 2: one mask for the batch
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keep = jnp.broadcast_to(keep_mask(key, rate, x.shape[1:]), x.shape)
    return step(weights, x, y, rate, keep)


# %% wrong 2: without jit
def key_per_example(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))
