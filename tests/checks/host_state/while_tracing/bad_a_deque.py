from collections import deque

import jax

window = deque([1.0, 2.0], maxlen=3)


@jax.jit
def f(x):
    window.append(3.0)  # bug: host-state
    return x * sum(window)


def run():
    return f(1.0), f(1.0)
