import jax


def run():
    count = 0

    @jax.jit
    def f(x, count):
        count += 1
        return x + count, count

    a, count = f(1.0, count)
    result, count = f(1.0, count)
    return a, result
