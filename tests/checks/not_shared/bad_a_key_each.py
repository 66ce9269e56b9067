# scenario.toml: shared = "on purpose"
import jax


def run():
    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(0), 3))
