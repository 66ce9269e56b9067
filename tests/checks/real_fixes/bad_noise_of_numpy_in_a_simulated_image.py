"""Herculens/herculens, issue 16"""

import jax
import jax.numpy as jnp
import numpy as np


def add_background(image, sigma):
    return image + sigma * np.random.randn(*image.shape)  # bug: host-random


@jax.jit
def simulate(flux):
    image = flux * jnp.exp(-(jnp.linspace(-2, 2, 8) ** 2))
    return add_background(image, 0.1)


def main():
    return simulate(1.0), simulate(2.0)


if __name__ == "__main__":
    print(main())
