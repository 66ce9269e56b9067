"""gbionics/jaxsim, pull request 319"""

import jax
import jax.numpy as jnp


def rotated(omega, dt):
    angle = jnp.linalg.norm(omega)
    axis = omega / angle  # bug: nan
    return jnp.concatenate([jnp.cos(angle * dt / 2)[None], axis * jnp.sin(angle * dt / 2)])


def main():
    step = jax.jit(jax.vmap(rotated, in_axes=(0, None)))
    return step(jnp.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), 0.01)


if __name__ == "__main__":
    print(main())
