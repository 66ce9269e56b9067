import jax

counter = 0


def f(x):
    global counter
    counter += 1
    return x * counter


def run():
    return f(1.0), f(1.0), jax.grad(f)(1.0)
