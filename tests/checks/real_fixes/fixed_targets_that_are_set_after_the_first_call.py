import jax
import jax.numpy as jnp


class Objective:
    def __init__(self, target):
        self.target = target

    def compute(self, x):
        return compute(x, self.target)


@jax.jit
def compute(x, target):
    return jnp.sum((x - target) ** 2)


def main():
    objective, x = Objective(0.0), jnp.ones(3)
    before = objective.compute(x)
    objective.target = 1.0
    return before, objective.compute(x)


if __name__ == "__main__":
    print(main())
