import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.w = jnp.ones(3)


predict = jax.jit(lambda w, x: x @ w)


def run():
    model, x = Model(), jnp.ones(3)
    a = predict(model.w, x)
    model.w = model.w * 2
    return a, predict(model.w, x)
