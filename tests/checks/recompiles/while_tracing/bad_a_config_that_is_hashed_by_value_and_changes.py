import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float


@partial(jax.jit, static_argnums=1)  # warning: recompiles
def step(w, config):
    return w - config.rate * w


def run():
    w = jnp.ones(2)
    for i in range(5):
        w = step(w, Config(0.1 / (i + 1)))
    return w
