# %% right 1: without the branch
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jax.random.split(key, len(x)))


# %% right 1: one big draw
def noise_of_batch(key, x, shared):
    return jax.random.normal(key, x.shape)


# %% right 1: the number of the example, folded in
def noise_of_batch(key, x, shared):
    def draw(number):
        return jax.random.normal(jax.random.fold_in(key, number), x.shape[1:])

    return jax.vmap(draw)(jnp.arange(len(x)))


# %% wrong 1: nothing changed
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    if shared:
        return jax.vmap(draw, in_axes=(0, None))(x, key)
    return jax.vmap(draw)(x, jax.random.split(key, len(x)))


# %% wrong 1: drawn once, and copied
def noise_of_batch(key, x, shared):
    return jnp.broadcast_to(jax.random.normal(key, x.shape[1:]), x.shape)


# %% wrong 1: no noise
def noise_of_batch(key, x, shared):
    return jnp.zeros_like(x)


# %% wrong 1: noise from NumPy
import numpy as np


def noise_of_batch(key, x, shared):
    return jnp.asarray(np.random.default_rng(0).normal(size=x.shape))


# %% wrong 1: an own key, and not the one that comes in
def noise_of_batch(key, x, shared):
    own = jax.random.fold_in(jax.random.key(7), jax.random.key_data(key)[1])
    return jax.random.normal(own, x.shape)


# %% right 2: eight keys, repeated
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jnp.repeat(jax.random.split(key, 8), len(x) // 8))


# %% right 2: eight groups of examples
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    groups = x.reshape(8, -1, x.shape[1])
    noise = jax.vmap(jax.vmap(draw, in_axes=(0, None)))(groups, jax.random.split(key, 8))
    return noise.reshape(x.shape)


# %% wrong 2: nothing changed
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    if shared:
        return jax.vmap(draw, in_axes=(0, None))(x, key)
    return jax.vmap(draw)(x, jax.random.split(key, len(x)))


# %% wrong 2: a key for each example, and louder noise
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return 8**0.5 * jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jax.random.split(key, len(x)))


# %% wrong 2: two keys
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jnp.repeat(jax.random.split(key, 2), len(x) // 2))


# %% wrong 2: one key, and quieter noise
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape) / 8**0.5

    return jax.vmap(draw, in_axes=(0, None))(x, key)


# %% wrong 2: two keys, and quieter noise
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape) / 2

    return jax.vmap(draw)(x, jnp.repeat(jax.random.split(key, 2), len(x) // 2))


# %% right 2: eight keys by fold_in
def noise_of_batch(key, x, shared):
    def draw(number):
        return jax.random.normal(jax.random.fold_in(key, number), x.shape[1:])

    return jax.vmap(draw)(jnp.arange(len(x)) // (len(x) // 8))


# %% right 2: eight draws, each added to eight examples
def noise_of_batch(key, x, shared):
    rows = jax.vmap(lambda key: jax.random.normal(key, x.shape[1:]))(jax.random.split(key, 8))
    return jnp.repeat(rows, len(x) // 8, axis=0)
