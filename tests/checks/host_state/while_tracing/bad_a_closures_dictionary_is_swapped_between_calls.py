import jax


def make(settings):
    @jax.jit
    def f(x):
        return x ** settings["power"]

    return f


def run():
    settings = {"power": 2}
    f = make(settings)
    a = f(3.0)
    settings.update(power=3)  # bug: host-state
    return a, f(3.0)
