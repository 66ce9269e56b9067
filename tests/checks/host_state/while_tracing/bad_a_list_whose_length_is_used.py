import jax

calls = []


@jax.jit
def f(x):
    calls.append(1)  # bug: host-state
    return x * len(calls)


def run():
    return f(1.0), f(1.0)
