import jax

points = []


def f(x):
    points.append(x)  # bug: leaked-tracer
    return x**2


def run():
    return jax.linearize(f, 1.0)[0]
