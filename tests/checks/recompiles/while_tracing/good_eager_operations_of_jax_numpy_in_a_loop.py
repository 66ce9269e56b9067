import jax
import jax.numpy as jnp


def run():
    x = jnp.ones(3)
    for i in range(6):
        x = jnp.where(x > i, jnp.linalg.norm(x), x.at[0].add(i))
        x = jax.nn.softmax(x) + jax.random.normal(jax.random.key(i), (3,))
    return x
