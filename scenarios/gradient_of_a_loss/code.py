"""The slope of a loss: in its first argument, in two, with the loss itself, in a dict, and in an integer."""

import jax
import jax.numpy as jnp


def inputs(w=0.5, b=0.0):
    """A line y = w x + b, and five points of the line y = 2 x + 1."""
    x = jnp.arange(5.0)
    return {"w": w, "b": b, "x": x, "y": 2 * x + 1}


def loss(w, b, x, y):
    """Return the mean squared distance between the line and the points."""
    return jnp.mean((w * x + b - y) ** 2)


def first_argument(w, b, x, y):
    """Take the gradient of the loss."""
    return jax.grad(loss)(w, b, x, y)


def two_arguments(w, b, x, y):
    """Take the gradient with respect to the first two arguments."""
    return jax.grad(loss, argnums=(0, 1))(w, b, x, y)


def value_too(w, b, x, y):
    """Take the loss and its gradient in one call."""
    return jax.value_and_grad(loss, argnums=(0, 1))(w, b, x, y)


def in_a_dict(w, b, x, y):
    """Take the gradient with respect to a dict of parameters."""

    def loss_of(parameters):
        return loss(parameters["w"], parameters["b"], x, y)

    return jax.grad(loss_of)({"w": w, "b": b})


def whole_number(x, y):
    """Take the gradient with respect to an integer."""
    return jax.grad(loss)(1, 0.0, x, y)


if __name__ == "__main__":
    line = inputs()
    for variant in (first_argument, two_arguments, value_too, in_a_dict):
        print(variant.__name__, variant(**line))
    try:
        whole_number(line["x"], line["y"])
    except TypeError as error:
        print("whole_number", type(error).__name__)
