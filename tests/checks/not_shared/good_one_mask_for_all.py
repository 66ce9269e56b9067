# scenario.toml: shared = "on purpose"
import jax
import jax.numpy as jnp


def masked(x, key):
    return jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0.0)  # note: shared-noise


def run():
    return jax.vmap(masked, in_axes=(0, None))(jnp.ones((4, 3)), jax.random.key(0))
