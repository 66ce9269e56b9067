import jax


def run():
    step = 0

    def body(i, x):
        nonlocal step
        step += 1  # bug: host-state
        return x + step

    return jax.lax.fori_loop(0, 4, body, 0.0)
