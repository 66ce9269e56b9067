import jax
import jax.numpy as jnp


class Probe:
    def __call__(self, x):
        self.shape = x.shape  # note: host-state
        return x * 2


def run():
    probe = Probe()
    y = jax.jit(probe)(jnp.ones(3))
    return y, probe.shape
