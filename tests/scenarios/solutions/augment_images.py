# %% right 1: a split, and the keys are mapped
def one_key_for_all(pictures, key):
    return jax.vmap(augment, in_axes=(0, 0))(pictures, jax.random.split(key, len(pictures)))


# %% right 1: the number of the picture, folded in
def one_key_for_all(pictures, key):
    def numbered(picture, number):
        return augment(picture, jax.random.fold_in(key, number))

    return jax.vmap(numbered)(pictures, jnp.arange(len(pictures)))


# %% wrong 1: an own key, and not the one that comes in
def one_key_for_all(pictures, key):
    return jax.vmap(augment)(pictures, jax.random.split(jax.random.key(7), len(pictures)))


# %% wrong 1: at random by NumPy
import numpy as np


def one_key_for_all(pictures, key):
    random = np.random.default_rng(0)
    flipped = np.where(random.uniform(size=len(pictures))[:, None, None] < 0.5, pictures[:, :, ::-1], pictures)
    return flipped * random.uniform(0.8, 1.2, size=(len(pictures), 1, 1))


# %% right 2: the flip key comes from outside
def augment(picture, key, flip_key):
    brightness_key, crop_key = jax.random.split(key)
    picture = jnp.where(jax.random.bernoulli(flip_key), picture[:, ::-1], picture)
    picture = picture * jax.random.uniform(brightness_key, minval=0.8, maxval=1.2)
    corner = jax.random.randint(crop_key, (2,), 0, 5)
    return jax.lax.dynamic_slice(picture, corner, (SIZE - 4, SIZE - 4))


def key_per_picture(pictures, key):
    flip_key, key = jax.random.split(key)
    return jax.vmap(augment, in_axes=(0, 0, None))(pictures, jax.random.split(key, len(pictures)), flip_key)


# %% right 2: by closure
def augment(picture, key, flip_key):
    picture = jnp.where(jax.random.bernoulli(flip_key), picture[:, ::-1], picture)
    brightness_key, crop_key = jax.random.split(key)
    picture = picture * jax.random.uniform(brightness_key, minval=0.8, maxval=1.2)
    corner = jax.random.randint(crop_key, (2,), 0, 5)
    return jax.lax.dynamic_slice(picture, corner, (SIZE - 4, SIZE - 4))


def key_per_picture(pictures, key):
    flip_key, *keys = jax.random.split(key, len(pictures) + 1)
    return jax.vmap(lambda picture, key: augment(picture, key, flip_key))(pictures, jnp.stack(keys))


# %% wrong 2: all of it is shared
def key_per_picture(pictures, key):
    return jax.vmap(augment, in_axes=(0, None))(pictures, key)


# %% wrong 2: the crop is shared
def augment(picture, key, crop_key):
    flip_key, brightness_key = jax.random.split(key)
    picture = jnp.where(jax.random.bernoulli(flip_key), picture[:, ::-1], picture)
    picture = picture * jax.random.uniform(brightness_key, minval=0.8, maxval=1.2)
    corner = jax.random.randint(crop_key, (2,), 0, 5)
    return jax.lax.dynamic_slice(picture, corner, (SIZE - 4, SIZE - 4))


def key_per_picture(pictures, key):
    crop_key, key = jax.random.split(key)
    return jax.vmap(augment, in_axes=(0, 0, None))(pictures, jax.random.split(key, len(pictures)), crop_key)
