import jax
import numpy as np


def run():
    return jax.jvp(lambda x: x * np.random.normal(), (1.0,), (1.0,))
