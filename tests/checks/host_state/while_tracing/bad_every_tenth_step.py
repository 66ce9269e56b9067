import jax


def make_step():
    n = 0

    @jax.jit
    def step(w):
        nonlocal n
        n += 1  # bug: host-state
        return w * 0.5 if n % 10 == 0 else w * 1.01

    return step


def run():
    step, w = make_step(), 1.0
    for _ in range(20):
        w = step(w)
    return w
