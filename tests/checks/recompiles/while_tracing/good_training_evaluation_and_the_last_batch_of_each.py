from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="train")
def forward(x, train):
    return x * (0.5 if train else 1.0)


def run():
    return [forward(jnp.ones(n), train=t) for _ in range(3) for t in (True, False) for n in (8, 8, 3)]
