import jax
import jax.numpy as jnp


class Linear:
    def __init__(self, key):
        self.params = {"w": jax.random.normal(key, (3,))}

    def apply(self, params, x):
        return params["w"] @ x


def run():
    model = Linear(jax.random.key(0))
    step = jax.jit(jax.grad(lambda params, x: model.apply(params, x)))
    for _ in range(3):
        g = step(model.params, jnp.ones(3))
        model.params = jax.tree.map(lambda p, d: p - 0.1 * d, model.params, g)
    return model.params
