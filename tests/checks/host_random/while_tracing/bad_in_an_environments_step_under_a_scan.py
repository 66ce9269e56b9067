import jax
import jax.numpy as jnp
import numpy as np


class Env:
    def reset(self):
        return {"pos": jnp.zeros(2), "t": 0}

    def step(self, state, action):
        wind = np.random.normal(size=2)  # bug: host-random
        return {"pos": state["pos"] + action + wind, "t": state["t"] + 1}, state["pos"].sum()


def run():
    env = Env()
    return jax.lax.scan(lambda s, a: env.step(s, a), env.reset(), jnp.ones((6, 2)))
