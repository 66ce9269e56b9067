import jax

seen = {}


@jax.jit
def f(x, y):
    seen["x"] = (x.dtype, x.ndim)  # note: host-state
    return x + y


def run():
    return f(1.0, 2)
