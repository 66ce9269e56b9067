"""One batch over many devices: where the pieces are, and which noise they get."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec


def inputs(batch=32, features=16, seed=0):
    """Zeros, so that the output is the noise itself, and one key."""
    return {"x": jnp.zeros((batch, features)), "key": jax.random.key(seed)}


def all_devices():
    """Return a mesh of all the devices, in one row."""
    return jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))


def add_noise(example, key):
    """Return one example with standard normal noise."""
    return example + jax.random.normal(key, example.shape)


def one_device(x, key):
    """vmap over the whole batch, where the batch is."""
    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))


def sharded(x, key):
    """The same program on a batch in pieces: jit gives each device its part of the work."""
    pieces = NamedSharding(all_devices(), PartitionSpec("devices"))
    return jax.jit(one_device, out_shardings=pieces)(jax.device_put(x, pieces), key)


def key_for_each_device(x, key):
    """Write the program of one device, and give each of them a key."""
    keys = jax.random.split(key, jax.device_count())

    def on_device(x, keys):
        return x + jax.random.normal(keys[0], x.shape)

    pieces = PartitionSpec("devices")
    return jax.jit(jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, pieces), out_specs=pieces))(x, keys)


def key_replicated(x, key):
    """Write the program of one device, and give each of them the same key."""

    def on_device(x, key):
        return x + jax.random.normal(key, x.shape)

    pieces, everywhere = PartitionSpec("devices"), PartitionSpec()
    return jax.jit(jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere), out_specs=pieces))(
        x, key
    )


def pmapped(x, key):
    """The older way: a leading axis with one entry for each device."""
    count = jax.device_count()
    keys = jax.random.split(key, count)
    return jax.pmap(add_noise)(x.reshape(count, -1, x.shape[1]), keys)


if __name__ == "__main__":
    for variant in (one_device, sharded, key_for_each_device, key_replicated, pmapped):
        noise = variant(**inputs()).reshape(inputs()["x"].shape)
        print(variant.__name__, len(jnp.unique(noise, axis=0)), "distinct of", len(noise), noise.sharding)
