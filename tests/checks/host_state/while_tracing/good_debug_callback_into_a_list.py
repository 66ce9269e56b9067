import jax

losses = []


@jax.jit
def f(x):
    jax.debug.callback(lambda value: losses.append(float(value)), x)
    return x * 2


def run():
    for i in range(3):
        f(float(i))
    return len(losses)
