import jax
import jax.numpy as jnp


@jax.jit  # warning: recompiles
def next_token(tokens):
    return tokens.sum() % 7


def run():
    tokens = jnp.array([1])
    for _ in range(5):
        tokens = jnp.concatenate([tokens, next_token(tokens)[None]])
    return tokens
