"""A cheap and an expensive branch: one example, and a batch."""

import jax
import jax.numpy as jnp


def inputs(batch=8, threshold=0.8, hard=False):
    """Numbers up to 1; of eight of them, two are above 0.8."""
    x = jnp.arange(1.0, batch + 1.0) / batch
    return {"x": x, "threshold": threshold, "hard": hard}


def cheap(number):
    """Return the cosine."""
    return jnp.cos(number)


def costly(number):
    """Take the sine 100 times in a row."""
    return jax.lax.fori_loop(0, 100, lambda _, y: jnp.sin(y), number)


def choose(number, threshold):
    """Take the expensive branch for a number above the threshold."""
    return jax.lax.cond(number > threshold, costly, cheap, number)


def one(x, threshold):
    """Choose for the first example."""
    return choose(x[0], threshold)


def mapped(x, threshold):
    """Choose for each example."""
    return jax.vmap(choose, in_axes=(0, None))(x, threshold)


def by_flag(x, hard):
    """Choose by a flag that all examples share."""

    def one(number):
        return jax.lax.cond(hard, costly, cheap, number)

    return jax.vmap(one)(x)


def with_where(x, threshold):
    """Compute both for all, and choose with where."""
    return jnp.where(x > threshold, costly(x), cheap(x))


if __name__ == "__main__":
    given = inputs()
    x, threshold = given["x"], given["threshold"]
    for variant in (one, mapped, with_where):
        print(variant.__name__, variant(x, threshold))
    print("by_flag", by_flag(x, given["hard"]))
