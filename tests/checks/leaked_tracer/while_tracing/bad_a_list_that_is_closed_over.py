import jax


def run():
    losses = []

    @jax.jit
    def step(w):
        losses.append(w**2)  # bug: leaked-tracer
        return w - 0.1

    return step(1.0), len(losses)
