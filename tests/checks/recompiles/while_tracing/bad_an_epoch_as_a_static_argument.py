from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("epoch",))  # warning: recompiles
def train(w, epoch):
    return w * 0.9**epoch


def run():
    w = jnp.ones(2)
    for epoch in range(6):
        w = train(w, epoch=epoch)
    return w
