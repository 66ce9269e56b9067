import jax
import jax.numpy as jnp
from jax import random


def add_background(image, sigma, key):
    return image + sigma * random.normal(key, image.shape)


@jax.jit
def simulate(flux, key):
    image = flux * jnp.exp(-(jnp.linspace(-2, 2, 8) ** 2))
    return add_background(image, 0.1, key)


def main():
    first, second = random.split(random.key(0))
    return simulate(1.0, first), simulate(2.0, second)


if __name__ == "__main__":
    print(main())
