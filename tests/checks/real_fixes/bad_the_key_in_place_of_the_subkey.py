"""AakashKumarNain/TF_JAX_tutorials, issue 4"""

import jax.numpy as jnp
from jax import random


def augment(images, key):
    key, subkey = random.split(key)
    turns = random.randint(key, (len(images),), 0, 2)  # bug: key-reuse
    key, subkey = random.split(key)
    flips = random.bernoulli(subkey, 0.5, (len(images),))
    return jnp.where(flips, -images, images) * (1 + turns)


def main():
    return augment(jnp.arange(4.0), random.key(0))


if __name__ == "__main__":
    print(main())
