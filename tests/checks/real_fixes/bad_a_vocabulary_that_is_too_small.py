"""jax-ml/jax, issue 3774"""

import jax
import jax.numpy as jnp

VOCABULARY = 6


@jax.jit
def embed(table, tokens):
    return table[tokens].mean(axis=0)  # bug: out-of-bounds


def main():
    table = jnp.arange(VOCABULARY * 2.0).reshape(VOCABULARY, 2)
    return embed(table, jnp.array([1, 4, 6]))


if __name__ == "__main__":
    print(main())
