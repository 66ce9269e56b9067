import jax
import jax.numpy as jnp


@jax.jit
def train(w, epoch):
    return w * 0.9**epoch


def run():
    w = jnp.ones(2)
    for epoch in range(6):
        w = train(w, epoch)
    return w
