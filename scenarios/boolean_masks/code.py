"""Picking by a mask: outside of jit, under jit, and with a length that is known beforehand."""

import jax
import jax.numpy as jnp


def inputs(limit=2.0):
    """Five numbers with a weight for each, and the limit that a number must exceed."""
    x = jnp.arange(5.0)
    return {"x": x, "weights": 10 + x, "limit": limit}


def three_limits(x, weights):
    """Pick the weights of the numbers above 1, above 2 and above 3."""
    return [weights[x > limit] for limit in (1.0, 2.0, 3.0)]


@jax.jit
def mask_under_jit(x, weights, limit):
    """Pick the weights of the numbers above the limit."""
    return weights[x > limit]


@jax.jit
def keep_the_shape(x, weights, limit):
    """Put 0 instead of every weight that you do not want."""
    return jnp.where(x > limit, weights, 0.0)


@jax.jit
def box_of_four(x, weights, limit):
    """Find where the numbers above the limit are, in a box of fixed size."""
    (places,) = jnp.nonzero(x > limit, size=4)
    return {"picked": weights[places], "places": places}


if __name__ == "__main__":
    print("three_limits", *three_limits(inputs()["x"], inputs()["weights"]))
    for variant in (keep_the_shape, box_of_four):
        print(variant.__name__, variant(**inputs()))
    try:
        mask_under_jit(**inputs())
    except IndexError as error:
        print("mask_under_jit", type(error).__name__)
