import jax

seen = []


@jax.jit
def f(x):
    seen.append(0)  # bug: host-state
    return x * len(seen)


def run():
    return f(1.0), f(1.0)
