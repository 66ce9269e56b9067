import jax.numpy as jnp
from jax import lax, random


def expand(state):
    step, key, x = state
    key, direction, move = random.split(key, 3)
    forward = random.bernoulli(direction)
    x = x + jnp.where(forward, 1.0, -1.0) * random.normal(move)
    return step + 1, key, x


def main():
    return lax.while_loop(lambda state: state[0] < 4, expand, (0, random.key(0), 0.0))[2]


if __name__ == "__main__":
    print(main())
