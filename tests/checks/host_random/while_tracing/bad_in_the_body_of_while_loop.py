import random

import jax


def run():
    def body(state):
        i, x = state
        return i + 1, x * random.uniform(0.9, 1.1)  # bug: host-random

    return jax.lax.while_loop(lambda state: state[0] < 5, body, (0, 1.0))
