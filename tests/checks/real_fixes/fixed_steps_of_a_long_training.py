import jax
import jax.numpy as jnp


@jax.jit
def training_epoch(env_steps):
    high, low = env_steps
    low = low + 666_894_336 % 2**16
    return high + 666_894_336 // 2**16 + low // 2**16, low % 2**16


def main():
    env_steps = (jnp.int32(0), jnp.int32(0))
    for _ in range(5):
        env_steps = training_epoch(env_steps)
    return int(env_steps[0]) * 2**16 + int(env_steps[1])


if __name__ == "__main__":
    print(main())
