"""Keys grow as a tree: one split, a chain of splits, a fan."""

import jax
import jax.numpy as jnp


def inputs(steps=4, seed=42):
    """The root of the tree."""
    return {"key": jax.random.key(seed), "steps": steps}


def one_split(key):
    """A parent and its two children; each child is spent on one number."""
    new_key, subkey = jax.random.split(key)
    return jnp.stack([jax.random.normal(subkey), jax.random.normal(new_key)])


def chain(key, steps):
    """Keep one child to split again, spend the other: the usual way in a loop."""
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        numbers.append(jax.random.normal(subkey))
    return jnp.stack(numbers)


def fan(key, steps):
    """One split makes all the children at once."""
    subkeys = jax.random.split(key, steps)
    return jnp.stack([jax.random.normal(subkey) for subkey in subkeys])


if __name__ == "__main__":
    for variant in (one_split, chain, fan):
        needed = {name: value for name, value in inputs().items() if name in variant.__code__.co_varnames}
        print(variant.__name__, variant(**needed))
