import jax

config = {"gain": 1.0, "name": "a"}


@jax.jit
def f(x):
    return x * config["gain"]


def run():
    a = f(1.0)
    config["name"] = "b"
    config["gain"] = 1.0
    return a, f(1.0)
