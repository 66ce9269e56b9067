"""Rows over several devices: their mean, noise, and product with a matrix."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec

ROWS, EVERYWHERE = PartitionSpec("devices"), PartitionSpec()
FEATURES = PartitionSpec(None, "devices")


def all_devices():
    """Return a mesh of all the devices, in one row."""
    return jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))


def laid(array, spec):
    """Return `array` sharded over the devices by `spec`."""
    return jax.device_put(array, NamedSharding(all_devices(), spec))


def inputs(rows=32, features=64, seed=0):
    """Rows of numbers and a matrix, each cut in two ways, and a key."""
    x = jnp.arange(1.0 * rows * features).reshape(rows, features) / (rows * features)
    matrix = jnp.ones((features, 8))
    return {
        "x_by_rows": laid(x, ROWS),
        "x_by_features": laid(x, FEATURES),
        "matrix": laid(matrix, EVERYWHERE),
        "matrix_by_features": laid(matrix, ROWS),
        "key": jax.random.key(seed),
    }


def over_devices(function, **specs):
    """Return `function` run by each device, with its pieces."""
    return jax.jit(jax.shard_map(function, mesh=all_devices(), out_specs=EVERYWHERE, **specs))


def mean_of_rows(x_by_rows):
    """Each device takes the mean of its rows."""

    def on_device(x):
        return jnp.mean(x, axis=0)

    return over_devices(on_device, in_specs=ROWS)(x_by_rows)


def mean_of_means(x_by_rows):
    """Each device takes the mean of its rows, then the mean over the devices."""

    def on_device(x):
        return jax.lax.pmean(jnp.mean(x, axis=0), "devices")

    return over_devices(on_device, in_specs=ROWS)(x_by_rows)


def mean_of_noise(x_by_rows, key):
    """Each device draws a row of noise; then the mean over the devices."""

    def on_device(x, key):
        noise = jax.random.normal(key, x.shape[1:])
        return jax.lax.pmean(noise, "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)


def cut_along_rows(x_by_rows, matrix):
    """Each device holds some rows of x, and all of the matrix."""
    return jax.jit(jnp.matmul)(x_by_rows, matrix)


def cut_along_features(x_by_features, matrix_by_features):
    """Each device holds some columns of x, and the rows of the matrix that meet them."""
    return jax.jit(jnp.matmul)(x_by_features, matrix_by_features)


if __name__ == "__main__":
    given = inputs()
    x = given["x_by_rows"]
    try:
        mean_of_rows(x)
    except ValueError as error:
        print(str(error).splitlines()[0])
    print("difference of the means", abs(mean_of_means(x) - x.mean(axis=0)).max())
    print("spread of the noise", mean_of_noise(x, given["key"]).std())
    products = (
        cut_along_rows(x, given["matrix"]),
        cut_along_features(given["x_by_features"], given["matrix_by_features"]),
    )
    print("difference of the products", abs(products[0] - products[1]).max())
