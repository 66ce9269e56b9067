"""Arrays over four devices whose type says how they are cut, and an operation that cannot decide."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec


def cut(array, *axes):
    """Return `array` cut over all devices along the axes that are not None."""
    mesh = jax.make_mesh((jax.device_count(),), ("d",))
    return jax.device_put(array, NamedSharding(mesh, PartitionSpec(*axes)))


def inputs(n=8):
    """A square of ones, cut by rows and cut by columns."""
    ones = jnp.ones((n, n))
    return {"by_rows": cut(ones, "d", None), "by_columns": cut(ones, None, "d")}


def elementwise(by_rows):
    """Double every number."""
    return 2 * by_rows


def sum_of_rows(by_rows):
    """Add the numbers of each row."""
    return by_rows.sum(axis=1)


def product(by_rows, by_columns):
    """Multiply two matrices whose inner axes are both cut."""
    return by_columns @ by_rows


def product_with_layout(by_rows, by_columns):
    """Multiply them, and say how the result is to be cut."""
    return jnp.matmul(by_columns, by_rows, out_sharding=jax.typeof(by_rows).sharding)


if __name__ == "__main__":
    given = inputs()
    print("elementwise", jax.typeof(elementwise(given["by_rows"])))
    print("sum_of_rows", jax.typeof(sum_of_rows(given["by_rows"])))
    print("product_with_layout", jax.typeof(product_with_layout(**given)))
    try:
        product(**given)
    except Exception as error:
        print("product", type(error).__name__)
