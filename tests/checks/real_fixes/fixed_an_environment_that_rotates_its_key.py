import jax
import jax.numpy as jnp
from jax import random


class Environment:
    def __init__(self):
        self.key = random.key(0)


environment = Environment()


@jax.jit
def dropout(x, key):
    key, subkey = random.split(key)
    return x * random.bernoulli(subkey, 0.5, x.shape), key


def main():
    y, environment.key = dropout(jnp.ones(4), environment.key)
    return y


if __name__ == "__main__":
    print(main())
