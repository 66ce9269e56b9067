import jax
import jax.numpy as jnp


def run():
    key = jax.random.key(0)
    images, labels, weights = jnp.ones((6, 2)), jnp.arange(6), jnp.arange(6.0)
    for _ in range(3):
        key, now, later = jax.random.split(key, 3)
        images = jax.random.permutation(now, images)
        labels = jax.random.permutation(now, labels)
        weights = weights[jax.random.permutation(later, 6)]
        images = images[jax.random.permutation(later, 6)]
    return images, labels, weights
