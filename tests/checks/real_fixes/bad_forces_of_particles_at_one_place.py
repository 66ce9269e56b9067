"""jax-md/jax-md, pull request 63"""

import jax
import jax.numpy as jnp


def distance(dr):
    return jnp.sqrt(jnp.sum(dr**2, axis=-1))  # bug: nan


def energy(positions):
    dr = positions[:, None] - positions[None]
    return 0.5 * jnp.sum(jnp.maximum(1.0 - distance(dr), 0.0) ** 2)


def main():
    positions = jnp.array([[0.0, 0.0], [0.5, 0.0], [2.0, 2.0]])
    return jax.jit(jax.grad(energy))(positions)


if __name__ == "__main__":
    print(main())
