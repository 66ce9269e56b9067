import jax


def run():
    f = jax.jit(lambda x: x * scale)
    out = []
    for scale in (1.0, 2.0, 3.0):  # bug: host-state
        out.append(f(1.0))
    return out
