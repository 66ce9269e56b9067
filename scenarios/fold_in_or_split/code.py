"""A key for each of many steps: folded in, split off one by one, or all at once."""

import jax
import jax.numpy as jnp


def inputs(steps=1000, seed=0):
    """The base key, and the numbers of the steps."""
    return {"key": jax.random.key(seed), "steps": jnp.arange(steps)}


def fold_in_each_step(key, steps):
    """Each step folds its number into the base key."""
    return jax.lax.map(lambda step: jax.random.normal(jax.random.fold_in(key, step)), steps)


def split_chain(key, steps):
    """Each step splits the key that the step before it left."""

    def step(key, _):
        key, subkey = jax.random.split(key)
        return key, jax.random.normal(subkey)

    _, numbers = jax.lax.scan(step, key, steps)
    return numbers


def fold_in_all_at_once(key, steps):
    """The same keys, with vmap instead of the loop."""
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, steps)
    return jax.vmap(jax.random.normal)(keys)


def split_all_at_once(key, steps):
    """One split makes the keys of all the steps."""
    keys = jax.random.split(key, len(steps))
    return jax.vmap(jax.random.normal)(keys)


if __name__ == "__main__":
    for variant in (fold_in_each_step, split_chain, fold_in_all_at_once, split_all_at_once):
        print(variant.__name__, variant(**inputs())[:3])
