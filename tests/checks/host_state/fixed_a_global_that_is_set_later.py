import jax

scale = 2.0


@jax.jit
def f(x, scale):
    return x * scale


def run():
    global scale
    a = f(1.0, scale)
    scale = 3.0
    return a, f(1.0, scale)
