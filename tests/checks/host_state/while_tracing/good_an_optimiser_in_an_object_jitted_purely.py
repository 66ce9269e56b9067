import jax
import jax.numpy as jnp


class Adam:
    def __init__(self, rate):
        self.rate = rate
        self.update = jax.jit(self._update)

    def _update(self, w, m, g):
        m = 0.9 * m + 0.1 * g
        return w - self.rate * m, m


def run():
    opt, w, m = Adam(0.1), jnp.ones(3), jnp.zeros(3)
    for _ in range(3):
        w, m = opt.update(w, m, w)
    return w
