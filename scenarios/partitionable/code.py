"""One flag changes every random number: jax_threefry_partitionable, on since JAX 0.5."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec


def inputs(seed=42):
    """A key; each variant sets the flag around its draws."""
    return {"key": jax.random.key(seed)}


def draws(key):
    """Draw one number, and the first four of 4 and of 8, all from the same key on purpose."""
    one, four, eight = (jax.random.normal(key, shape) for shape in ((), (4,), (8,)))
    return {"four and eight": jnp.stack([four, eight[:4]]), "one": one}


def flag_on(key):
    """Draw with the flag on, as it is today."""
    with jax.threefry_partitionable(True):
        return draws(key)


def flag_off(key):
    """Draw with the flag off, as it was before JAX 0.5."""
    with jax.threefry_partitionable(False):
        return draws(key)


def in_pieces(key, partitionable):
    """Draw a large array in pieces, one on each device."""
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))
    pieces = NamedSharding(mesh, PartitionSpec("devices"))
    with jax.threefry_partitionable(partitionable):
        return jax.jit(lambda key: jax.random.normal(key, (8 * 1024,)), out_shardings=pieces)(key)


def pieces_flag_on(key):
    """Draw in pieces with the flag on."""
    return in_pieces(key, True)


def pieces_flag_off(key):
    """Draw in pieces with the flag off."""
    return in_pieces(key, False)


if __name__ == "__main__":
    for variant in (flag_on, flag_off):
        print(variant.__name__, variant(**inputs()))
    for variant in (pieces_flag_on, pieces_flag_off):
        print(variant.__name__, jax.device_get(variant(**inputs()))[:4])
