import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Dropout:
    rate: float = 0.5

    def __call__(self, x):
        keep = np.random.binomial(1, 1 - self.rate, x.shape)  # bug: host-random
        return x * keep / (1 - self.rate)


@dataclasses.dataclass(frozen=True)
class Net:
    layers: tuple = (Dropout(), jnp.tanh, Dropout(0.2))

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def run():
    return jax.jit(Net())(jnp.ones(16))
