import jax

temperature = {"t": 10.0}


def loss(w):
    temperature["t"] *= 0.5  # bug: host-state
    return (w**2) / temperature["t"]


step = jax.jit(lambda w: w - 0.1 * jax.grad(loss)(w))


def run():
    return step(step(1.0))
