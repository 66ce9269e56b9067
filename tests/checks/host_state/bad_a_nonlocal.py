import jax


def run():
    count = 0

    @jax.jit
    def f(x):
        nonlocal count
        count += 1  # bug: host-state
        return x + count

    a = f(1.0)
    return a, f(1.0)
