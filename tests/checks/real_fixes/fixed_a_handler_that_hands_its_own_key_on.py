import jax.numpy as jnp
from jax import random


class Seed:
    def __init__(self, key):
        self.key = key

    def sample(self, draw):
        self.key, subkey = random.split(self.key)
        return draw(subkey)


def student_t(key):
    normal, chi2 = random.split(key)
    return random.normal(normal) / jnp.sqrt(random.chisquare(chi2, 3.0) / 3.0)


def main():
    handler = Seed(random.key(0))
    return handler.sample(student_t), handler.sample(random.normal)


if __name__ == "__main__":
    print(main())
