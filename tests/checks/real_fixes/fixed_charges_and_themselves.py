import jax
import jax.numpy as jnp


def energy(positions, charges):
    d = jnp.sum((positions[:, None] - positions[None]) ** 2, axis=-1)
    others = 1 - jnp.eye(len(charges))
    apart = jnp.where(others > 0, d, 1.0)
    pairs = jnp.where(others > 0, charges[:, None] * charges / apart, 0.0)
    return pairs.sum()


def main():
    positions = jnp.array([[1.0, 2.0, 3.0], [0.2, 4.0, 6.0]])
    return jax.grad(energy)(positions, jnp.array([1.0, -1.0]))


if __name__ == "__main__":
    print(main())
