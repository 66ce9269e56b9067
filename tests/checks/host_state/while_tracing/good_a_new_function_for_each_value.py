import jax


def run():
    out = []
    for scale in (1.0, 2.0):
        out.append(jax.jit(lambda x: x * scale)(1.0))
    return out
