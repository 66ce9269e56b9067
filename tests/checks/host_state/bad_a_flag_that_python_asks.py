import jax

training = True


@jax.jit
def f(x):
    return x * 0.5 if training else x


def run():
    global training
    a = f(1.0)
    training = False  # bug: host-state
    return a, f(1.0)
