import jax

config = {"gain": 2.0}


@jax.jit
def f(x):
    return x * config["gain"]


def run():
    a = f(1.0)
    config["gain"] = 4.0  # bug: host-state
    return a, f(1.0)
