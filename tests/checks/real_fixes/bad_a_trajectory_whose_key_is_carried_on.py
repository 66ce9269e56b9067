"""blackjax-devs/blackjax, issue 53"""

import jax.numpy as jnp
from jax import lax, random


def expand(state):
    step, key, x = state
    _, direction, key = random.split(key, 3)
    forward = random.bernoulli(direction)
    x = x + jnp.where(forward, 1.0, -1.0) * random.normal(key)  # bug: key-reuse
    return step + 1, key, x


def main():
    return lax.while_loop(lambda state: state[0] < 4, expand, (0, random.key(0), 0.0))[2]


if __name__ == "__main__":
    print(main())
