import jax

values = []


@jax.jit
def f(x):
    return x * 2


def run():
    for i in range(3):
        values.append(f(float(i)))
    return values
