# %% right 1: two names
def one_key(key, samples):
    position_key, speed_key = jax.random.split(key)
    position = jax.random.uniform(position_key, (samples,))
    return {"position": position, "speed": jax.random.normal(speed_key, (samples,))}


# %% right 1: two children by their numbers
def one_key(key, samples):
    keys = jax.random.split(key, 2)
    return {"position": jax.random.uniform(keys[1], (samples,)), "speed": jax.random.normal(keys[0], (samples,))}


# %% wrong 1: a split, and a draw from the parent
def one_key(key, samples):
    _, speed_key = jax.random.split(key)
    return {"position": jax.random.uniform(key, (samples,)), "speed": jax.random.normal(speed_key, (samples,))}


# %% wrong 1: the speed from NumPy
import numpy as np


def one_key(key, samples):
    speed = np.random.default_rng(0).normal(size=samples)
    return {"position": jax.random.uniform(key, (samples,)), "speed": speed}


# %% right 2: a third distribution
def one_key(key, samples):
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed, "age": jax.random.exponential(key, (samples,))}


# %% right 2: the same distribution again
def one_key(key, samples):
    draws = [draw(key, (samples,)) for draw in (jax.random.uniform, jax.random.normal, jax.random.normal)]
    return dict(zip(("position", "speed", "height"), draws, strict=True))


# %% wrong 2: the third has its own key
def one_key(key, samples):
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed, "age": jax.random.normal(jax.random.fold_in(key, 1), (samples,))}


# %% wrong 2: the third is the second
def one_key(key, samples):
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed, "age": 2 * speed}
