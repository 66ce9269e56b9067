import jax

config = {"gain": 1.0}


def set_gain(settings, value):
    settings["gain"] = value  # bug: host-state


@jax.jit
def f(x):
    return x * config["gain"]


def run():
    a = f(1.0)
    set_gain(config, 3.0)
    return a, f(1.0)
