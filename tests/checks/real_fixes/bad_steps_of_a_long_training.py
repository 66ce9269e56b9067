"""google/brax, issue 578"""

import jax
import jax.numpy as jnp


@jax.jit
def training_epoch(env_steps):
    return env_steps + 666_894_336  # warning: silent-cast


def main():
    env_steps = jnp.int32(0)
    for _ in range(5):
        env_steps = training_epoch(env_steps)
    return env_steps


if __name__ == "__main__":
    print(main())
