# %% right 1: one child for the noise, the other to be split
def draw_then_split(key, children):
    noise_key, parent = jax.random.split(key)
    noise = jax.random.uniform(noise_key, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}


# %% right 1: one child more
def draw_then_split(key, children):
    noise_key, *others = jax.random.split(key, children + 1)
    keys = jnp.stack(others)
    return {"noise": jax.random.uniform(noise_key, (children,)), "keys": fingerprint(keys), "children": keys}


# %% wrong 1: noise from NumPy
import numpy as np


def draw_then_split(key, children):
    keys = jax.random.split(key, children)
    noise = np.random.default_rng(0).uniform(size=children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}


# %% wrong 1: one number for all
def draw_then_split(key, children):
    noise_key, parent = jax.random.split(key)
    noise = jnp.full(children, jax.random.uniform(noise_key))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}


# %% right 2: as the exercise says
def split_first(key, children):
    parent = jax.random.fold_in(key, 1)
    noise = jax.random.uniform(key, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}


# %% right 2: in one line, after the draw
def split_first(key, children):
    noise = jax.random.uniform(key, (children,))
    keys = jax.random.split(jax.random.fold_in(key, data=1), children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}


# %% wrong 2: nothing changed
def split_first(key, children):
    noise_key, parent = jax.random.split(key)
    noise = jax.random.uniform(noise_key, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}


# %% wrong 2: two numbers are folded in
def split_first(key, children):
    noise = jax.random.uniform(jax.random.fold_in(key, 0), (children,))
    keys = jax.random.split(jax.random.fold_in(key, 1), children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}
