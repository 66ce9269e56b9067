from collections import deque

import jax
import jax.numpy as jnp
import numpy as np

buffer = deque(maxlen=5)


@jax.jit
def act(x):
    return jnp.tanh(x)


def run():
    x = jnp.float32(0.5)
    for _ in range(8):
        x = act(x)
        buffer.append(float(x))
    return np.mean(buffer)
