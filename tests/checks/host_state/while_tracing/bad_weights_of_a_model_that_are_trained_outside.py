import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    def train(self, x):
        self.w = self.w - 0.1 * x  # bug: host-state


model = Model()
predict = jax.jit(lambda x: x @ model.w)


def run():
    x = jnp.ones(3)
    before = predict(x)
    model.train(x)
    return before, predict(x)
