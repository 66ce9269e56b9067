import jax

history = []


@jax.jit
def step(w):
    return w * 0.9


def run():
    w = 1.0
    for _ in range(5):
        w = step(w)
        history.append(float(w))
    return history
