"""Noise for a batch: in a Python loop, in a scan, and under vmap."""

import jax
import jax.numpy as jnp


def inputs(batch=8, features=6, seed=0):
    """Zeros, so that the output is the noise itself."""
    return {"x": jnp.zeros((batch, features)), "key": jax.random.key(seed)}


def python_loop(x, key):
    """A loop over the examples."""
    return jnp.stack([example + jax.random.normal(key, example.shape) for example in x])


def scan(x, key):
    """The same loop as an operation of JAX."""

    def step(key, example):
        return key, example + jax.random.normal(key, example.shape)

    return jax.lax.scan(step, key, x)[1]


def vmapped(x, key):
    """The same function, mapped over the examples."""
    return jax.vmap(lambda example: example + jax.random.normal(key, example.shape))(x)


if __name__ == "__main__":
    for variant in (python_loop, scan, vmapped):
        rows = variant(**inputs())
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
