import jax
import jax.numpy as jnp


def safe_norm(x):
    at_rest = jnp.all(x == 0)
    return jnp.where(at_rest, 0.0, jnp.linalg.norm(jnp.where(at_rest, 1.0, x)))


def rotated(omega, dt):
    angle = safe_norm(omega)
    axis = omega / jnp.where(angle == 0, 1.0, angle)
    return jnp.concatenate([jnp.cos(angle * dt / 2)[None], axis * jnp.sin(angle * dt / 2)])


def main():
    step = jax.jit(jax.vmap(rotated, in_axes=(0, None)))
    return step(jnp.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), 0.01)


if __name__ == "__main__":
    print(main())
