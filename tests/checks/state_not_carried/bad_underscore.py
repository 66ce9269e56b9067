from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Adam(NamedTuple):
    count: Any
    mu: Any
    nu: Any


def update(params, state, x):
    grads = jax.grad(lambda params: jnp.sum((params["w"] * x + params["b"] - 1) ** 2))(params)
    mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.mu, grads)
    nu = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state.nu, grads)
    params = jax.tree.map(lambda p, m, v: p - 0.1 * m / (jnp.sqrt(v) + 1e-8), params, mu, nu)
    return params, Adam(state.count + 1, mu, nu)


def train():
    step = jax.jit(update)
    params = {"w": jnp.zeros(3), "b": jnp.zeros(3)}
    zeros = jax.tree.map(jnp.zeros_like, params)
    opt_state = Adam(jnp.int32(0), zeros, zeros)
    for x in jnp.linspace(0.5, 1.5, 4):
        params, _ = step(params, opt_state, x)  # warning: state-not-carried
    return params
