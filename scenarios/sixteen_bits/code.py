"""Sums in bfloat16, and small numbers in float16."""

import jax
import jax.numpy as jnp


def inputs(n=1000):
    """n ones in bfloat16."""
    return {"x": jnp.ones(n, jnp.bfloat16)}


def one_by_one(x):
    """Add one number after the other, in bfloat16."""
    return jax.lax.fori_loop(0, len(x), lambda i, total: total + x[i], jnp.bfloat16(0))


def all_at_once(x):
    """Add all with jnp.sum."""
    return jnp.sum(x)


def small_in_float16(x):
    """Make a small gradient a float16, and a bfloat16."""
    small = x[0].astype(jnp.float32) * 1e-8
    return {"float16": small.astype(jnp.float16), "bfloat16": small.astype(jnp.bfloat16)}


def scaled(x):
    """Multiply it by 65,536 before, and divide after."""
    small = x[0].astype(jnp.float32) * 1e-8
    return (small * 65_536).astype(jnp.float16).astype(jnp.float32) / 65_536


if __name__ == "__main__":
    for variant in (one_by_one, all_at_once, small_in_float16, scaled):
        print(variant.__name__, variant(**inputs()))
