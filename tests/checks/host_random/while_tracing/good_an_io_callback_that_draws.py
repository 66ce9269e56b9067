import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback


@jax.jit
def f(x):
    return x + io_callback(lambda: np.float32(np.random.normal()), jax.ShapeDtypeStruct((), jnp.float32))


def run():
    return f(1.0)
