# %% right 1: where shard_map is
def over_devices(function, **specs):
    return jax.jit(jax.shard_map(function, mesh=all_devices(), out_specs=EVERYWHERE, check_vma=False, **specs))


# %% right 1: for this variant
def mean_of_rows(x_by_rows):
    def on_device(x):
        return jnp.mean(x, axis=0)

    return over_devices(on_device, in_specs=ROWS, check_vma=False)(x_by_rows)


# %% wrong 1: the mean of all rows
def mean_of_rows(x_by_rows):
    def on_device(x):
        return jax.lax.pmean(jnp.mean(x, axis=0), "devices")

    return over_devices(on_device, in_specs=ROWS, check_vma=False)(x_by_rows)


# %% wrong 1: without the devices
def mean_of_rows(x_by_rows):
    return jnp.mean(x_by_rows[:8], axis=0)


# %% right 2: folded in
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        key = jax.random.fold_in(key, jax.lax.axis_index("devices"))
        return jax.lax.pmean(jax.random.normal(key, x.shape[1:]), "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)


# %% right 2: a sum over the devices
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        own = jax.random.fold_in(key, jax.lax.axis_index("devices"))
        noise = jax.random.normal(own, (x.shape[1],))
        return jax.lax.psum(noise, "devices") / jax.device_count()

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)


# %% wrong 2: half of the same noise
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        return 0.5 * jax.lax.pmean(jax.random.normal(key, x.shape[1:]), "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)


# %% wrong 2: a key that ignores the one that came in
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        key = jax.random.fold_in(jax.random.key(7), jax.lax.axis_index("devices"))
        return jax.lax.pmean(jax.random.normal(key, x.shape[1:]), "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)
