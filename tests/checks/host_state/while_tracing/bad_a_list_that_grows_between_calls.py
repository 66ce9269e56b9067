import jax

layers = [1.0]


@jax.jit
def f(x):
    for each in layers:
        x = x * each
    return x


def run():
    a = f(2.0)
    layers.append(3.0)  # bug: host-state
    return a, f(2.0)
