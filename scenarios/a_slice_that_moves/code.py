"""A cache of four rows: a row written at a position, and what a position beyond the end does."""

import jax
import jax.numpy as jnp


def inputs(position=2):
    """An empty cache of four rows, rows 1, 2 and 3 in it, and the position of the next row."""
    cache = jnp.zeros((4, 2)).at[0].set(1.0).at[1].set(2.0).at[2].set(3.0)
    return {"cache": cache, "row": jnp.full((1, 2), 9.0), "position": position}


@jax.jit
def plain_slice(cache, position):
    """Read the rows before the position with a slice of Python."""
    return cache[:position]


@jax.jit
def dynamic_slice(cache, position):
    """Read two rows from the position on."""
    return jax.lax.dynamic_slice(cache, (position, 0), (2, 2))


@jax.jit
def update(cache, row, position):
    """Write the row at the position with dynamic_update_slice."""
    return jax.lax.dynamic_update_slice(cache, row, (position, 0))


@jax.jit
def set_at(cache, row, position):
    """Write the row at the position with .at."""
    return cache.at[position].set(row[0])


@jax.jit
def with_mask(cache, position):
    """Read all rows, with 0 from the position on."""
    is_before = jnp.arange(len(cache))[:, None] < position
    return jnp.where(is_before, cache, 0.0)


if __name__ == "__main__":
    given = inputs()
    print("dynamic_slice", dynamic_slice(given["cache"], given["position"]))
    for variant in (update, set_at):
        print(variant.__name__, variant(**given))
    print("with_mask", with_mask(given["cache"], given["position"]))
    try:
        plain_slice(given["cache"], given["position"])
    except IndexError as error:
        print("plain_slice", type(error).__name__)
