"""bardhh/cbfkit, pull request 41"""

import jax
import jax.numpy as jnp


def make_controller(gain):
    @jax.jit  # warning: recompiles
    def controller(x):
        return -gain * x

    return controller


def main():
    x = jnp.ones(2)
    for _ in range(5):
        x = x + 0.1 * make_controller(2.0)(x)
    return x


if __name__ == "__main__":
    print(main())
