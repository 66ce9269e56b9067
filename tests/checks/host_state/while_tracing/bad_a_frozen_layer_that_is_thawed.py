import jax
import jax.numpy as jnp

trainable = [True, False]


@jax.jit
def update(params, grads):
    return [p - 0.1 * g if on else p for p, g, on in zip(params, grads, trainable)]


def run():
    params = [jnp.ones(2), jnp.ones(2)]
    params = update(params, params)
    trainable[1] = True  # bug: host-state
    return update(params, params)
