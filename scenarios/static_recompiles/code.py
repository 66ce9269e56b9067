"""Sums of powers, with the number of powers static or traced."""

from functools import partial

import jax
import jax.numpy as jnp


def inputs(largest=8):
    """A vector, and the largest power to sum."""
    return {"x": jnp.linspace(0.0, 0.9, 1000), "largest": largest}


def static_n(x, largest):
    """Sum with `n` static, for each `n` up to the largest."""

    @partial(jax.jit, static_argnames="n")
    def power_sum(x, n):
        return sum(x**power for power in range(1, n + 1))

    return [power_sum(x, n=n) for n in range(1, largest + 1)]


def traced_n(x, largest):
    """Sum with `n` traced, for each `n` up to the largest."""

    @jax.jit
    def power_sum(x, n):
        return jax.lax.fori_loop(1, n + 1, lambda power, total: total + x**power, jnp.zeros_like(x))

    return [power_sum(x, n) for n in range(1, largest + 1)]


if __name__ == "__main__":
    same = jnp.allclose(jnp.stack(static_n(**inputs())), jnp.stack(traced_n(**inputs())), atol=1e-5)
    print("the same sums:", same)
