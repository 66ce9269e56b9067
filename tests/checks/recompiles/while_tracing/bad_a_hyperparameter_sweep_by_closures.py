import jax
import jax.numpy as jnp


def experiment(rate):
    def step(w):  # warning: recompiles
        return w - rate * w

    run_step = jax.jit(step)
    w = jnp.ones(2)
    for _ in range(3):
        w = run_step(w)
    return w


def run():
    return [experiment(rate) for rate in (0.1, 0.2, 0.3, 0.4, 0.5)]
