import jax

seen = set()


@jax.jit
def f(x):
    first = "f" not in seen
    seen.add("f")  # bug: host-state
    return x if first else -x


def run():
    return f(1.0), f(1.0)
