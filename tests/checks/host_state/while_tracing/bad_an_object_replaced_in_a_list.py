import jax


class Layer:
    def __init__(self, scale):
        self.scale = scale


layers = [Layer(1.0), Layer(2.0)]


@jax.jit
def forward(x):
    for layer in layers:
        x = x * layer.scale
    return x


def run():
    a = forward(1.0)
    layers[0].scale = 7.0  # bug: host-state
    return a, forward(1.0)
