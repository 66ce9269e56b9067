import functools

import jax


def counted(function):
    @functools.wraps(function)
    def wrapped(x):
        wrapped.calls += 1  # bug: host-state
        return function(x) * wrapped.calls

    wrapped.calls = 0
    return wrapped


@jax.jit
@counted
def f(x):
    return x + 1


def run():
    return f(1.0), f(1.0)
