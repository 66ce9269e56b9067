import jax

seen = []


@jax.jit
def f(x):
    seen.append(x.shape)  # note: host-state
    return x


def run():
    f(1.0)
    return len(seen)
