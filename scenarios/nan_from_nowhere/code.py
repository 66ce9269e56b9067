"""A square root, a `where`, and the gradient at 0."""

import jax
import jax.numpy as jnp


def inputs():
    """Four numbers; the first is 0."""
    return {"x": jnp.array([0.0, 0.25, 1.0, 4.0])}


def loss(x):
    """Return the sum of the square roots of the numbers above 0."""
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(x), 0.0))


def slope(x):
    """Return the gradient of `loss`."""
    return jax.grad(loss)(x)


def by_hand(x):
    """Return the values that meet in two backward steps."""
    from_where = jnp.where(x > 0, 1.0, 0.0)
    of_root = 0.5 / jnp.sqrt(x)
    product = from_where * of_root
    return {"from_where": from_where, "of_root": of_root, "product": product}


def guarded_loss(x):
    """Return the same sum, of the roots of safe numbers."""
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(safe), 0.0))


def guarded_slope(x):
    """Return the gradient of `guarded_loss`."""
    return jax.grad(guarded_loss)(x)


if __name__ == "__main__":
    numbers = inputs()["x"]
    print("loss", loss(numbers), guarded_loss(numbers))
    for variant in (slope, by_hand, guarded_slope):
        print(variant.__name__, variant(numbers))
