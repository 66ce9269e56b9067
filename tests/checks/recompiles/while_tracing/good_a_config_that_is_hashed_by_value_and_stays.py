import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float


@partial(jax.jit, static_argnums=1)
def step(w, config):
    return w - config.rate * w


def run():
    w = jnp.ones(2)
    for _ in range(5):
        w = step(w, Config(0.1))
    return w
