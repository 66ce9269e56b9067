"""Temporal differences: the target is a number to reach, not something to be moved."""

import jax
import jax.numpy as jnp


def inputs():
    """The weights of a linear value function, one step from state to state, and its reward."""
    return {
        "theta": jnp.array([0.1, -0.1, 0.0]),
        "state": jnp.array([1.0, 2.0, -1.0]),
        "next_state": jnp.array([2.0, 1.0, 0.0]),
        "reward": jnp.float32(1.0),
    }


def value(theta, state):
    """Return what `state` is worth by the weights `theta`."""
    return jnp.dot(theta, state)


def without_stop_gradient(theta, state, next_state, reward):
    """The gradient also moves the target towards the estimate."""

    def loss(theta):
        target = reward + value(theta, next_state)
        return (value(theta, state) - target) ** 2

    return jax.grad(loss)(theta)


def with_stop_gradient(theta, state, next_state, reward):
    """The target counts as a constant; only the estimate moves."""

    def loss(theta):
        target = reward + value(theta, next_state)
        return (value(theta, state) - jax.lax.stop_gradient(target)) ** 2

    return jax.grad(loss)(theta)


if __name__ == "__main__":
    for variant in (without_stop_gradient, with_stop_gradient):
        print(variant.__name__, variant(**inputs()))
