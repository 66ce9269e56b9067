import jax
import jax.numpy as jnp


def root(a):
    def goes_on(x):
        return jnp.abs(x * x - a) > 1e-3

    def step(x):  # warning: recompiles
        return 0.5 * (x + a / x)

    return jax.lax.while_loop(goes_on, step, jnp.float32(1.0))


def run():
    return [root(float(a)) for a in (2, 3, 5, 7)]
