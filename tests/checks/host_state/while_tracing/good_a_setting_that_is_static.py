from functools import partial

import jax

settings = {"power": 2}


@partial(jax.jit, static_argnums=1)
def f(x, power):
    return x**power


def run():
    a = f(3.0, settings["power"])
    settings["power"] = 3
    return a, f(3.0, settings["power"])
