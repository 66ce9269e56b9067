import jax


class Box:
    value = 1.0


box = Box()


@jax.jit
def f(x):
    setattr(box, "value", box.value + 1)  # bug: host-state
    return x * box.value


def run():
    return f(1.0)
