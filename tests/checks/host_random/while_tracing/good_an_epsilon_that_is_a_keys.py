import jax
import jax.numpy as jnp


@jax.jit
def act(q, key, epsilon):
    explore, choose = jax.random.split(key)
    return jnp.where(jax.random.uniform(explore) < epsilon, jax.random.randint(choose, (), 0, 4), jnp.argmax(q))


def run():
    return [act(jnp.ones(4), jax.random.fold_in(jax.random.key(0), i), 0.1) for i in range(3)]
