import jax
import jax.numpy as jnp
import numpy as np


def draw(x):
    return np.asarray(x + np.random.normal(), np.float32)


@jax.jit
def f(x):
    return jax.pure_callback(draw, jax.ShapeDtypeStruct((), jnp.float32), x)


def run():
    return f(1.0)
