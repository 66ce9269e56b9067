import jax

scale = 2.0


@jax.jit
def f(x):
    return x * scale


def run():
    global scale
    a = f(1.0)
    scale = 3.0  # bug: host-state
    return a, f(1.0)
