"""Three results of three numbers, and all their slopes."""

import jax
import jax.numpy as jnp


def inputs(leak=0.0):
    """The numbers 0, 1, 2; with `leak` each result depends on all of them."""
    return {"x": jnp.arange(3.0), "leak": leak}


def results(x, leak):
    """Return the squares, and `leak` times the sum of all in each."""
    return x**2 + leak * jnp.sum(x)


def grad_of_many(x, leak):
    """Ask for the gradient of all results."""
    return jax.grad(results)(x, leak)


def jacobian(x, leak):
    """Return the Jacobian of all results."""
    return jax.jacobian(results)(x, leak)


def of_the_sum(x, leak):
    """Return the gradient of the sum of all results."""
    return jax.grad(lambda x: jnp.sum(results(x, leak)))(x)


def one_by_one(x, leak):
    """Return the slope for each number, one at a time."""

    def one(number):
        return results(number[None], leak)[0]

    return jax.vmap(jax.grad(one))(x)


if __name__ == "__main__":
    for leak in (0.0, 1.0):
        for variant in (results, jacobian, of_the_sum, one_by_one):
            print(variant.__name__, *variant(**inputs(leak)))
