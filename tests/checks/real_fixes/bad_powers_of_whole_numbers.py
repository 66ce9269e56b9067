"""jax-ml/jax, issue 8604"""

import jax.numpy as jnp


def weights():
    return 1 / 256 ** jnp.arange(1, 5)  # bug: nan, warning: silent-cast


def main():
    return (weights() * 3.0).astype(jnp.bfloat16)


if __name__ == "__main__":
    print(main())
