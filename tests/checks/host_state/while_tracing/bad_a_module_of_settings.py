import types

import jax

settings = types.ModuleType("settings")
settings.bias = 1.0


@jax.jit
def f(x):
    return x + settings.bias


def run():
    a = f(1.0)
    settings.bias = 5.0  # bug: host-state
    return a, f(1.0)
