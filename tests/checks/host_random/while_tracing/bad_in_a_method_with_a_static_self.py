from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class Agent:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    @partial(jax.jit, static_argnums=0)
    def act(self, q):
        if np.random.rand() < self.epsilon:  # bug: host-random
            return jnp.int32(np.random.randint(4))  # bug: host-random
        return jnp.argmax(q)


def run():
    agent = Agent(1.5)
    return [agent.act(jnp.ones(4)) for _ in range(3)]
