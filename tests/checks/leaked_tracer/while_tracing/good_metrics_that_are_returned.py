import jax

history = []


@jax.jit
def step(w):
    loss, g = jax.value_and_grad(lambda w: w**2)(w)
    return w - 0.1 * g, {"loss": loss}


def run():
    w = 1.0
    for _ in range(3):
        w, metrics = step(w)
        history.append(metrics)
    return w
