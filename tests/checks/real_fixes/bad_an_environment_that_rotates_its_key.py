"""google/torchax, pull request 95"""

import jax
import jax.numpy as jnp
from jax import random


class Environment:
    def __init__(self):
        self.key = random.key(0)

    def rotated(self):
        self.key, subkey = random.split(self.key)  # bug: leaked-tracer
        return subkey


environment = Environment()


@jax.jit
def dropout(x):
    return x * random.bernoulli(environment.rotated(), 0.5, x.shape)


def main():
    return dropout(jnp.ones(4))


if __name__ == "__main__":
    print(main())
