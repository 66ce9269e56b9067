import jax


class Dense:
    def __init__(self, n):
        self.n = n
        self.cache = {}

    def __call__(self, x):
        self.last = x * self.n
        self.cache["y"] = self.last
        return self.last


@jax.jit
def f(x):
    return Dense(3)(x)


def run():
    return f(1.0)
