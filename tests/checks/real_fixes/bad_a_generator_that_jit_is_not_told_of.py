"""google/objax, issue 208"""

import jax
from jax import random


class Generator:
    def __init__(self, seed):
        self.seed, self.drawn = seed, 0

    def uniform(self):
        self.drawn += 1  # bug: host-state
        return random.uniform(random.fold_in(random.key(self.seed), self.drawn))  # bug: key-reuse


DEFAULT = Generator(0)


@jax.jit
def draw():
    return DEFAULT.uniform()


def main():
    return draw(), draw(), draw()


if __name__ == "__main__":
    print(main())
