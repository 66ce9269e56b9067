"""PlasmaControl/DESC, pull request 310"""

from functools import partial

import jax
import jax.numpy as jnp


class Objective:
    def __init__(self, target):
        self.target = target

    @partial(jax.jit, static_argnums=0)
    def compute(self, x):
        return jnp.sum((x - self.target) ** 2)


def main():
    objective, x = Objective(0.0), jnp.ones(3)
    before = objective.compute(x)
    objective.target = 1.0  # bug: host-state
    return before, objective.compute(x)


if __name__ == "__main__":
    print(main())
