import jax

config = {"gain": 1.0}


@jax.jit
def amplify(x):
    return x * config["gain"]


@jax.jit
def tune(x):
    config["gain"] = 5.0  # bug: host-state, note: host-state
    return x


def run():
    a = amplify(1.0)
    return a, tune(1.0), amplify(1.0)
