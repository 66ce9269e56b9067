"""Five ways to pass keys through a training loop; all of them are right."""

import jax
import jax.numpy as jnp


def inputs(steps=4, width=8, seed=0):
    """A vector that every step adds noise to."""
    return {"x": jnp.zeros(width), "key": jax.random.key(seed), "steps": steps}


def add_noise(x, key):
    """Return `x` with standard normal noise; the caller passes a fresh `key`."""
    return x + jax.random.normal(key, x.shape)


def thread_the_key(x, key, steps):
    """Each step takes a key and returns the next one."""

    def step(x, key):
        key, subkey = jax.random.split(key)
        return add_noise(x, subkey), key

    for _ in range(steps):
        x, key = step(x, key)
    return x


def split_up_front(x, key, steps):
    """A list of keys, made before the loop begins."""
    for subkey in jax.random.split(key, steps):
        x = add_noise(x, subkey)
    return x


def split_inside(x, key, steps):
    """A step that needs two keys splits its own."""

    def step(x, key):
        noise_key, mask_key = jax.random.split(key)
        noisy = add_noise(x, noise_key)
        return jnp.where(jax.random.bernoulli(mask_key, 0.5, x.shape), noisy, x)

    for subkey in jax.random.split(key, steps):
        x = step(x, subkey)
    return x


def fold_in_the_step(x, key, steps):
    """Each step folds its number into the base key."""
    for step in range(steps):
        x = add_noise(x, jax.random.fold_in(key, step))
    return x


def key_in_the_state(x, key, steps):
    """The key travels with the parameters, in one state."""

    def step(state):
        key, subkey = jax.random.split(state["key"])
        return {"x": add_noise(state["x"], subkey), "key": key}

    state = {"x": x, "key": key}
    for _ in range(steps):
        state = step(state)
    return state["x"]


if __name__ == "__main__":
    for variant in (thread_the_key, split_up_front, split_inside, fold_in_the_step, key_in_the_state):
        print(variant.__name__, variant(**inputs())[:3])
