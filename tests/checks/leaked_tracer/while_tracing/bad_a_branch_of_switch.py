import jax
import jax.numpy as jnp

picked = {}


def run():
    def keep(x):
        picked["x"] = x  # bug: leaked-tracer
        return x

    return jax.lax.switch(jnp.int32(1), [jnp.sin, keep], 1.0)
