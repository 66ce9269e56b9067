import jax


class Counter:
    def __init__(self):
        self.n = 0

    def bump(self, x):
        self.n = self.n + 1  # bug: host-state
        return x + self.n


def run():
    f = jax.jit(Counter().bump)
    return f(1.0), f(1.0)
