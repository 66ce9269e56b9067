import jax


class Tape:
    def __init__(self):
        self.ops = []


tape = Tape()


@jax.jit
def f(x):
    tape.ops.append(x)  # note: host-state
    total = sum(tape.ops)
    tape.ops.clear()  # note: host-state
    return total


def run():
    return f(1.0)
