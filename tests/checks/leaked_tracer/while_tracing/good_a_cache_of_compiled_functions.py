import jax

compiled = {}


def get(n):
    if n not in compiled:
        compiled[n] = jax.jit(lambda x: x**n)
    return compiled[n]


def run():
    return get(2)(3.0) + get(2)(4.0) + get(3)(1.0)
