import jax


def run():
    loss = None

    @jax.jit
    def step(w):
        nonlocal loss
        loss = w**2  # bug: leaked-tracer
        return w - 0.1

    return step(1.0)
