"""gchq/coreax, issue 375"""

import jax
import jax.numpy as jnp
from jax import random


@jax.jit
def perturbed_loss(x, key):
    return jnp.mean((x + 0.1 * random.normal(key, x.shape)) ** 2)  # bug: key-reuse


def main():
    key, total = random.key(0), 0.0
    for _ in range(4):
        total += perturbed_loss(jnp.ones(3), key)
    return total


if __name__ == "__main__":
    print(main())
