import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.w = jnp.ones(3)

    def step(self, x):
        update = jax.jit(lambda w, x: w - 0.1 * x)  # warning: recompiles
        self.w = update(self.w, x)


def run():
    trainer = Trainer()
    for _ in range(5):
        trainer.step(jnp.ones(3))
    return trainer.w
