import jax
import jax.numpy as jnp
import numpy as np


@jax.jit  # warning: recompiles
def keep(x, threshold):
    return x * 2 > threshold


def run():
    x = jnp.arange(10.0)
    for _ in range(5):
        x = x[np.asarray(keep(x, 5.0)) | (np.arange(len(x)) > 0)]
    return x
