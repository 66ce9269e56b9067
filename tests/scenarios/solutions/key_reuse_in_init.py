# %% right 1: a list of keys
def layer_by_layer(key, sizes=REGRESSION):
    weights = []
    keys = jax.random.split(key, len(sizes) - 1)
    for layer_key, (fan_in, fan_out) in zip(keys, pairwise(sizes), strict=True):
        weights.append(init_layer(layer_key, fan_in, fan_out))
    return weights


# %% right 1: the last key first
def layer_by_layer(key, sizes=REGRESSION):
    keys = list(jax.random.split(key, len(sizes)))
    return [init_layer(keys.pop(), fan_in, fan_out) for fan_in, fan_out in pairwise(sizes)]


# %% wrong 1: one split, and one of its keys for all layers
def layer_by_layer(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(keys[0], fan_in, fan_out) for fan_in, fan_out in pairwise(sizes)]


# %% wrong 1: a split in the loop
def layer_by_layer(key, sizes=REGRESSION):
    weights = []
    for fan_in, fan_out in pairwise(sizes):
        key, layer_key = jax.random.split(key)
        weights.append(init_layer(layer_key, fan_in, fan_out))
    return weights


# %% right 2: one more size
REGRESSION = (1, 128, 128, 128, 1)


# %% right 2: sizes of its own
def list_of_keys(key, sizes=(1, 64, 64, 32, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]


# %% wrong 2: the fourth layer is drawn and not returned
def list_of_keys(key, sizes=(1, 128, 128, 128, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)][:3]


# %% wrong 2: the fourth layer has another seed
def list_of_keys(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    layers = [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]
    return [*layers, init_layer(jax.random.key(7), 128, 1)]
