from collections import deque

import jax

recent = deque(maxlen=2)


@jax.jit
def f(x):
    recent.append(x)  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
