import jax
import jax.numpy as jnp


@jax.jit  # warning: recompiles
def encode(tokens):
    return jnp.cumsum(tokens)[-1]


def run():
    texts = ["a", "bc", "def", "ghij", "klmno"]
    return [encode(jnp.array([ord(c) for c in text])) for text in texts]
