import jax

trail = {}


def run():
    def body(i, x):
        trail["x"] = x  # bug: leaked-tracer
        return x * 2

    return jax.lax.fori_loop(0, 3, body, 1.0)
