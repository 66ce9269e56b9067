from collections import namedtuple

import jax

Point = namedtuple("Point", "x y")
where = None


@jax.jit
def move(x, y):
    global where
    where = Point(x + 1, y)  # bug: leaked-tracer
    return x + y


def run():
    return move(1.0, 2.0)
