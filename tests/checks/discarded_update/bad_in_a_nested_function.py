import jax
import jax.numpy as jnp


def steps():
    def step(carry, index):
        state, total = carry
        state["seen"].at[index].max(1.0)  # bug: discarded-update
        return (state, total + index), index

    first = {"seen": jnp.zeros(3)}, jnp.int32(0)
    return jax.lax.scan(step, first, jnp.arange(3))[0]
