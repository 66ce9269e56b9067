import jax


class Model:
    def __init__(self):
        self.forward = jax.jit(lambda w, x: w * x)


def run():
    model, w = Model(), 1.0
    for _ in range(6):
        w = model.forward(w, 0.9)
    return w
