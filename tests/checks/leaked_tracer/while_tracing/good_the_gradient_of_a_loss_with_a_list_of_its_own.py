import jax


def loss(w):
    terms = []
    for i in range(3):
        terms.append((w - i) ** 2)
    return sum(terms)


def run():
    return jax.grad(loss)(1.0)
