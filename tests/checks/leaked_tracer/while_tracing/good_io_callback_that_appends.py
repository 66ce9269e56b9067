import jax
from jax.experimental import io_callback

seen = []


@jax.jit
def f(x):
    io_callback(lambda v: seen.append(float(v)), None, x, ordered=True)
    return x


def run():
    f(1.0)
    return 1.0
