import jax
import jax.numpy as jnp


class Compiled:
    def __init__(self, function):
        self.traces = 0
        self.function = jax.jit(self._traced)
        self._inner = function

    def _traced(self, x):
        self.traces += 1  # note: host-state
        return self._inner(x)


def run():
    f = Compiled(jnp.sin)
    f.function(1.0)
    f.function(2.0)
    return f.traces
