import jax


def add(x, seen=[]):
    seen.append(0)  # bug: host-state
    return x + len(seen)


def run():
    f = jax.jit(lambda x: add(x))
    return f(1.0), f(1.0)
