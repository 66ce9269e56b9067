# %% right 1: a split, and a 0 for the keys
def keys_not_split(params, x, key):
    return jax.vmap(forward, in_axes=(None, 0, 0))(params, x, jax.random.split(key, len(x)))


# %% right 1: a Python loop
def keys_not_split(params, x, key):
    keys = jax.random.split(key, len(x))
    return jnp.stack([forward(params, example, own) for example, own in zip(x, keys, strict=True)])


# %% wrong 1: masks from NumPy
import numpy as np


def keys_not_split(params, x, key):
    random = np.random.default_rng(0)
    hidden = jax.nn.relu(x @ params["first"])
    hidden = jnp.where(random.uniform(size=hidden.shape) < 0.5, 2 * hidden, 0)
    return hidden @ params["second"]


# %% wrong 1: outputs that are made to differ
def keys_not_split(params, x, key):
    shared = jax.vmap(forward, in_axes=(None, 0, None))(params, x, key)
    return shared + jnp.arange(len(x))[:, None]


# %% right 2: the first key twice
def forward(params, example, key):
    first_key, second_key = jax.random.split(key)
    hidden = dropout(jax.nn.relu(example @ params["first"]), first_key)
    return dropout(hidden @ params["second"], first_key)


# %% right 2: without a name for the second key
def forward(params, example, key):
    first_key, _ = jax.random.split(key)
    hidden = dropout(jax.nn.relu(example @ params["first"]), key=first_key)
    return dropout(hidden @ params["second"], key=first_key)


# %% wrong 2: one key for the batch
def key_per_example(params, x, key):
    return jax.vmap(forward, in_axes=(None, 0, None))(params, x, key)


# %% wrong 2: the weights are drawn from one key
def inputs(batch=16, features=8, hidden=32, seed=0):
    params_key, keys_key = jax.random.split(jax.random.key(seed))
    params = {
        "first": jax.random.normal(params_key, (features, hidden)) / features**0.5,
        "second": jax.random.normal(params_key, (hidden, features)) / hidden**0.5,
    }
    return {"params": params, "x": jnp.ones((batch, features)), "key": keys_key}
