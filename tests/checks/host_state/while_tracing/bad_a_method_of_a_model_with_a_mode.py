import jax


class Net:
    def __init__(self):
        self.training = True

    def eval(self):
        self.training = False  # bug: host-state

    def __call__(self, x):
        return x * 0.5 if self.training else x


def run():
    net = Net()
    forward = jax.jit(net.__call__)
    a = forward(1.0)
    net.eval()
    return a, forward(1.0)
