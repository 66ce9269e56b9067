import jax


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):  # warning: recompiles
        return x * self.w


def run():
    return [jax.jit(Net(1.0).forward)(2.0) for _ in range(5)]
