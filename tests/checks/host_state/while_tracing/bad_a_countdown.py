import jax
import jax.numpy as jnp


class Warmup:
    def __init__(self, steps):
        self.left = steps

    def __call__(self, rate):
        if self.left > 0:
            self.left -= 1  # bug: host-state
            return 0.0
        return rate


warmup = Warmup(5)


@jax.jit
def step(w):
    return w - warmup(0.1) * w


def run():
    w = jnp.float32(1.0)
    for _ in range(8):
        w = step(w)
    return w
