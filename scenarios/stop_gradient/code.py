"""One step of temporal differences: the gradient for the weights of a value function."""

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
    """Return the value of `state` with the weights `theta`."""
    return jnp.dot(theta, state)


def without_stop_gradient(theta, state, next_state, reward):
    """Take the gradient of the squared difference."""

    def loss(theta):
        target = reward + value(theta, next_state)
        return (value(theta, state) - target) ** 2

    return jax.grad(loss)(theta)


def with_stop_gradient(theta, state, next_state, reward):
    """The same, with stop_gradient around the target."""

    def loss(theta):
        target = reward + value(theta, next_state)
        return (value(theta, state) - jax.lax.stop_gradient(target)) ** 2

    return jax.grad(loss)(theta)


def rounded_value(theta, state, next_state, reward):
    """The same, for an estimate that is rounded to whole numbers."""

    def loss(theta):
        target = jax.lax.stop_gradient(reward + value(theta, next_state))
        return (jnp.round(value(theta, state)) - target) ** 2

    return jax.grad(loss)(theta)


def straight_through(theta, state, next_state, reward):
    """The same; the gradient passes the rounding as if it were not there."""

    def loss(theta):
        target = jax.lax.stop_gradient(reward + value(theta, next_state))
        estimate = value(theta, state)
        rounded = estimate + jax.lax.stop_gradient(jnp.round(estimate) - estimate)
        return (rounded - target) ** 2

    return jax.grad(loss)(theta)


if __name__ == "__main__":
    for variant in (without_stop_gradient, with_stop_gradient, rounded_value, straight_through):
        print(variant.__name__, variant(**inputs()))
