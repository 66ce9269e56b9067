import jax.numpy as jnp
import numpy as np


def halved():
    x = jnp.ones(4, jnp.float16)
    return x * np.float32(0.5)  # warning: silent-promotion
