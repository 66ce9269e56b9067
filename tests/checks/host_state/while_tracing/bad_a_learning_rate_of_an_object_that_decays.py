import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self):
        self.rate = 0.1

    def step(self):
        self.rate *= 0.5  # bug: host-state


schedule = Schedule()


@jax.jit
def update(w, g):
    return w - schedule.rate * g


def run():
    w = jnp.ones(3)
    for _ in range(4):
        w = update(w, w)
        schedule.step()
    return w
