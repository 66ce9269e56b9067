import jax.numpy as jnp


def weights():
    return 1 / 256.0 ** jnp.arange(1, 5)


def main():
    return (weights() * 3.0).astype(jnp.bfloat16)


if __name__ == "__main__":
    print(main())
