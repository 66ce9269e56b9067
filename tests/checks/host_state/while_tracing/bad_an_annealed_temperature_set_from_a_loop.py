import jax
import jax.numpy as jnp

temperature = 1.0


@jax.jit
def sample(logits, key):
    return jax.random.categorical(key, logits / temperature)


def run():
    global temperature
    out = []
    for i, key in enumerate(jax.random.split(jax.random.key(0), 3)):
        out.append(sample(jnp.arange(4.0), key))
        temperature *= 0.5  # bug: host-state
    return out
