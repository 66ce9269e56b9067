import jax

seeds = [1, 2, 3]


@jax.jit
def f(x):
    return x + seeds.pop()  # bug: host-state


def run():
    return f(1.0), f(1.0)
