import jax
import jax.numpy as jnp


class Dense:
    def __init__(self, n):
        self.w = jnp.ones((n, n))
        self.apply = jax.jit(lambda w, x: x @ w)

    def __call__(self, x):
        return self.apply(self.w, x)


def run():
    layers, x = [Dense(3), Dense(3)], jnp.ones(3)
    for _ in range(4):
        for layer in layers:
            x = layer(x)
    return x
