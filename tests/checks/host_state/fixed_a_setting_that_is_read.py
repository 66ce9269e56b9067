import jax

config = {"gain": 2.0}


@jax.jit
def f(x, gain):
    return x * gain


def run():
    a = f(1.0, config["gain"])
    config["gain"] = 4.0
    return a, f(1.0, config["gain"])
