# %% right 1: folded in
def key_replicated(x, key):
    def on_device(x, key):
        key = jax.random.fold_in(key, jax.lax.axis_index("devices"))
        return x + jax.random.normal(key, x.shape)

    pieces, everywhere = PartitionSpec("devices"), PartitionSpec()
    mapped = jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere), out_specs=pieces)
    return jax.jit(mapped)(x, key)


# %% right 1: by a function
def own_key(key):
    number = jax.lax.axis_index("devices")
    return jax.random.fold_in(key, number)


def key_replicated(x, key):
    def on_device(x, key):
        return x + jax.random.normal(own_key(key), x.shape)

    pieces, everywhere = PartitionSpec("devices"), PartitionSpec()
    mapped = jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere), out_specs=pieces)
    return jax.jit(mapped)(x, key)


# %% wrong 1: the same number on each device
def key_replicated(x, key):
    def on_device(x, key):
        key = jax.random.fold_in(key, 0 * jax.lax.axis_index("devices"))
        return x + jax.random.normal(key, x.shape)

    pieces, everywhere = PartitionSpec("devices"), PartitionSpec()
    mapped = jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere), out_specs=pieces)
    return jax.jit(mapped)(x, key)


# %% wrong 1: on one device
def key_replicated(x, key):
    return one_device(x, key)
