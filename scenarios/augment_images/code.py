"""Augment a batch of small pictures: flip, brighten and crop, each picture at random."""

import jax
import jax.numpy as jnp

SIZE = 24


def inputs(images=64, seed=0):
    """Pictures of a bright spot with a tail, each a little larger than the one before; shape (images, 24, 24)."""
    down, across = jnp.mgrid[:SIZE, :SIZE]
    radius = jnp.linspace(2, 6, images)[:, None, None]
    spot = jnp.exp(-((down - 9) ** 2 + (across - 7) ** 2) / radius**2)
    tail = 0.6 * (jnp.abs(down - across - 2) < 2) * (across > 7)
    return {"pictures": jnp.clip(spot + tail, 0, 1), "key": jax.random.key(seed)}


def augment(picture, key):
    """Return one picture flipped or not, 0.8 to 1.2 times as bright, cropped by up to 4 pixels."""
    flip_key, brightness_key, crop_key = jax.random.split(key, 3)
    picture = jnp.where(jax.random.bernoulli(flip_key), picture[:, ::-1], picture)
    picture = picture * jax.random.uniform(brightness_key, minval=0.8, maxval=1.2)
    corner = jax.random.randint(crop_key, (2,), 0, 5)
    return jax.lax.dynamic_slice(picture, corner, (SIZE - 4, SIZE - 4))


def one_key_for_all(pictures, key):
    """Map over the pictures, and take the key as it is."""
    return jax.vmap(augment, in_axes=(0, None))(pictures, key)


def key_per_picture(pictures, key):
    """Split the key, one for each picture."""
    return jax.vmap(augment)(pictures, jax.random.split(key, len(pictures)))


if __name__ == "__main__":
    for variant in (one_key_for_all, key_per_picture):
        print(variant.__name__, variant(**inputs()).shape)
