# %% right 1: a list of keys
def layer_by_layer(key, sizes=REGRESSION):
    weights = []
    keys = jax.random.split(key, len(sizes) - 1)
    for layer_key, (fan_in, fan_out) in zip(keys, pairwise(sizes), strict=True):
        weights.append(init_layer(layer_key, fan_in, fan_out))
    return weights


# %% right 1: keys taken by their number
def layer_by_layer(key, sizes=REGRESSION):
    keys = jax.random.split(key, 3)
    weights = []
    for number, (fan_in, fan_out) in enumerate(pairwise(sizes)):
        weights.append(init_layer(keys[number], fan_in, fan_out))
    return weights


# %% right 1: the last key first
def layer_by_layer(key, sizes=REGRESSION):
    keys = list(jax.random.split(key, len(sizes)))
    return [init_layer(keys.pop(), fan_in, fan_out) for fan_in, fan_out in pairwise(sizes)]


# %% wrong 1: nothing changed
def layer_by_layer(key, sizes=REGRESSION):
    weights = []
    for fan_in, fan_out in pairwise(sizes):
        weights.append(init_layer(key, fan_in, fan_out))
    return weights


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


# %% wrong 1: weights from NumPy
import numpy as np


def layer_by_layer(key, sizes=REGRESSION):
    random = np.random.default_rng(0)
    jax.random.split(key, 3)
    return [np.sqrt(2 / fan_in) * random.normal(size=(fan_in, fan_out)) for fan_in, fan_out in pairwise(sizes)]


# %% wrong 1: an own key, and not the one that comes in
def layer_by_layer(key, sizes=REGRESSION):
    keys = jax.random.split(jax.random.key(7), len(sizes) - 1)
    return [init_layer(own, *layer) for own, layer in zip(keys, pairwise(sizes), strict=True)]


# %% wrong 1: without the scale
def layer_by_layer(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(own, layer) for own, layer in zip(keys, pairwise(sizes), strict=True)]


# %% right 2: one more size
REGRESSION = (1, 128, 128, 128, 1)


# %% right 2: sizes of its own
def list_of_keys(key, sizes=(1, 64, 64, 32, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]


# %% right 2: keys by fold_in
def list_of_keys(key, sizes=(*REGRESSION, 1)):
    return [init_layer(jax.random.fold_in(key, number), *layer) for number, layer in enumerate(pairwise(sizes))]


# %% wrong 2: nothing changed
def list_of_keys(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]


# %% wrong 2: the last key serves two layers
def list_of_keys(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    layers = [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]
    return [*layers, init_layer(keys[-1], 128, 1)]


# %% wrong 2: the fourth layer is drawn and not returned
def list_of_keys(key, sizes=(1, 128, 128, 128, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)][:3]


# %% wrong 2: a fourth layer of ones
def list_of_keys(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    layers = [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]
    return [*layers, jnp.ones((1, 1))]


# %% wrong 2: the fourth layer has another seed
def list_of_keys(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    layers = [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]
    return [*layers, init_layer(jax.random.key(7), 128, 1)]
