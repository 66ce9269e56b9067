import jax


def run():
    steps = [jax.jit(lambda x, n=n: x + n) for n in (1, 2)]
    return [step(1.0) for step in steps for _ in range(4)]
