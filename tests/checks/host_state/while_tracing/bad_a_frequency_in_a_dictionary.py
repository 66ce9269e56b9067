import jax
import jax.numpy as jnp

state = {"n": 0, "every": 4}


@jax.jit
def step(w):
    state["n"] += 1  # bug: host-state
    if state["n"] % state["every"] == 0:
        w = jnp.clip(w, -1.0, 1.0)
    return w * 2


def run():
    w = 1.0
    for _ in range(8):
        w = step(w)
    return w
