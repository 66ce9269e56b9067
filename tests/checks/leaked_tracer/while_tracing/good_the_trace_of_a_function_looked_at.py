import jax

texts = []


@jax.jit
def f(x):
    texts.append(str(x))  # note: host-state
    return x


def run():
    return f(1.0)
