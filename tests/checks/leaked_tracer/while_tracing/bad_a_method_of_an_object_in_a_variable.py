import jax


class Model:
    def forward(self, x):
        self.hidden = x * 2  # bug: leaked-tracer
        return self.hidden + 1


def run():
    model = Model()
    return jax.jit(model.forward)(1.0)
