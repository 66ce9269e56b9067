# %% right 1: 4,000 numbers
def draws(key):
    one, four, eight = (jax.random.normal(key, shape) for shape in ((), (4,), (4000,)))
    return {"four and eight": jnp.stack([four, eight[:4]]), "one": one}


# %% right 1: one after the other
def draws(key):
    one, four = jax.random.normal(key), jax.random.normal(key, (4,))
    long = jax.random.normal(key, (4_000,))
    return {"four and eight": jnp.stack([four, long[:4]]), "one": one}


# %% wrong 1: another key for the long draw
def draws(key):
    one, four = jax.random.normal(key), jax.random.normal(key, (4,))
    long = jax.random.normal(jax.random.fold_in(key, 1), (4_000,))
    return {"four and eight": jnp.stack([four, long[:4]]), "one": one}


# %% wrong 1: another end of the long draw
def draws(key):
    one, four, eight = (jax.random.normal(key, shape) for shape in ((), (4,), (8,)))
    return {"four and eight": jnp.stack([four, eight[4:]]), "one": one}


# %% right 2: twice as many
def in_pieces(key, partitionable):
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))
    pieces = NamedSharding(mesh, PartitionSpec("devices"))
    with jax.threefry_partitionable(partitionable):
        return jax.jit(lambda key: jax.random.normal(key, (16 * 1024,)), out_shardings=pieces)(key)


# %% right 2: a decorated function
def in_pieces(key, partitionable):
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))

    def draw(key):
        return jax.random.normal(key, (2 * 8 * 1024,))

    with jax.threefry_partitionable(partitionable):
        return jax.jit(draw, out_shardings=NamedSharding(mesh, PartitionSpec("devices")))(key)


# %% wrong 2: the same numbers twice
def in_pieces(key, partitionable):
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))
    pieces = NamedSharding(mesh, PartitionSpec("devices"))
    with jax.threefry_partitionable(partitionable):
        return jax.jit(lambda key: jnp.tile(jax.random.normal(key, (8 * 1024,)), 2), out_shardings=pieces)(key)


# %% wrong 2: on one device
def in_pieces(key, partitionable):
    with jax.threefry_partitionable(partitionable):
        return jax.random.normal(key, (16 * 1024,))
