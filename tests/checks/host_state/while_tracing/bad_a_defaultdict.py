from collections import defaultdict

import jax

uses = defaultdict(int)


@jax.jit
def f(x):
    uses["f"] += 1  # bug: host-state
    return x * uses["f"]


def run():
    return f(1.0), f(1.0)
