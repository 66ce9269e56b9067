import jax


class Logger:
    def __init__(self):
        self.entries = []

    def log(self, **values):
        self.entries.append(values)  # bug: leaked-tracer


def train(logger):
    @jax.jit
    def step(w):
        loss, g = jax.value_and_grad(lambda w: w**2)(w)
        logger.log(loss=loss)
        return w - 0.1 * g

    return step(1.0)


def run():
    logger = Logger()
    return train(logger), len(logger.entries)
