import jax
import jax.numpy as jnp


class Env:
    def __init__(self):
        self.t = 0

    def step(self, state, action):
        self.t += 1  # bug: host-state
        done = self.t >= 3
        return state + action, done


env = Env()


def run():
    def body(state, action):
        state, done = env.step(state, action)
        return state, (state, done)

    return jax.lax.scan(body, 0.0, jnp.ones(6))
