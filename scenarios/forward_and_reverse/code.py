"""Derivatives in two directions: changes pushed forward, slopes pulled back, and both for second derivatives."""

import jax
import jax.numpy as jnp


def inputs(n=3):
    """The numbers from 1 to n, the weights of two results, and a direction: along the first number."""
    weights = jnp.stack([jnp.ones(n), jnp.linspace(1.0, -1.0, n)])
    return {"x": jnp.arange(1.0, n + 1), "weights": weights, "direction": jnp.zeros(n).at[0].set(1.0)}


def results(x, weights):
    """Return two weighted sums of the squares."""
    return weights @ x**2


def forward(x, weights, direction):
    """Push a change of `x` forward, and return the results and their change."""
    return jax.jvp(lambda x: results(x, weights), (x,), (direction,))


def backward(x, weights):
    """Pull the second result back, and return the results and its slope for each number."""
    values, pull = jax.vjp(lambda x: results(x, weights), x)
    (slopes,) = pull(jnp.array([0.0, 1.0]))
    return values, slopes


def by_columns(x, weights):
    """Build the Jacobian by pushing a change of each number forward."""
    return jax.jacfwd(results)(x, weights)


def by_rows(x, weights):
    """Build the Jacobian by pulling each result back."""
    return jax.jacrev(results)(x, weights)


def many_directions(x, weights):
    """Work out the linear part once, and push three directions through it."""
    values, push = jax.linearize(lambda x: results(x, weights), x)
    return values, jax.vmap(push)(jnp.stack([jnp.ones_like(x), x, -x]))


def loss(x):
    """Return a number that depends on all of `x`."""
    return jnp.sum(x) ** 3


def whole_hessian(x, direction):
    """Build the matrix of all second derivatives, and multiply it by the direction."""
    return jax.hessian(loss)(x) @ direction


def forward_over_reverse(x, direction):
    """Push the direction forward through the gradient."""
    _, change = jax.jvp(jax.grad(loss), (x,), (direction,))
    return change


if __name__ == "__main__":
    given = inputs()
    x, weights, direction = given["x"], given["weights"], given["direction"]
    print("forward", forward(x, weights, direction))
    for variant in (backward, by_columns, by_rows, many_directions):
        print(variant.__name__, variant(x, weights))
    for variant in (whole_hessian, forward_over_reverse):
        print(variant.__name__, variant(x, direction))
