# %% right 1: as a decorator
def one_rngs(x, seed):
    @nnx.split_rngs(splits=len(x))
    @nnx.vmap
    def mapped(example, rngs):
        return masked(example, rngs)

    return mapped(x, nnx.Rngs(dropout=seed))


# %% right 1: around the mapped function
def one_rngs(x, seed):
    return nnx.split_rngs(splits=len(x))(nnx.vmap(masked, in_axes=(0, 0)))(x, nnx.Rngs(dropout=seed))


# %% wrong 1: nothing changed
def one_rngs(x, seed):
    return nnx.vmap(masked, in_axes=(0, None))(x, nnx.Rngs(dropout=seed))


# %% wrong 1: split inside vmap
def one_rngs(x, seed):
    once = nnx.split_rngs(splits=1, squeeze=True)(masked)
    return nnx.vmap(once, in_axes=(0, None))(x, nnx.Rngs(dropout=seed))


# %% right 2: the number folded in
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    key = jax.random.key(seed)
    return jnp.stack(
        [layer.apply({}, each, rngs={"dropout": jax.random.fold_in(key, i)}) for i, each in enumerate(x)]
    )


# %% right 2: split beforehand
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    keys = jax.random.split(jax.random.key(seed), len(x))
    return jnp.stack([layer.apply({}, each, rngs={"dropout": key}) for each, key in zip(x, keys, strict=True)])


# %% wrong 2: nothing changed
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    key = jax.random.key(seed)
    return jnp.stack([layer.apply({}, each, rngs={"dropout": key}) for each in x])


# %% wrong 2: another key, the same in each call
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    key = jax.random.fold_in(jax.random.key(seed), 1)
    return jnp.stack([layer.apply({}, each, rngs={"dropout": key}) for each in x])
