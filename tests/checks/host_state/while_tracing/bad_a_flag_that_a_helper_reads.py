import jax

training = True


def dropout(x):
    return x * 0.5 if training else x


@jax.jit
def f(x):
    return dropout(x) + 1


def set_training(value):
    global training
    training = value  # bug: host-state


def run():
    a = f(1.0)
    set_training(False)
    return a, f(1.0)
