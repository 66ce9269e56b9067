"""Keys of the old kind, which are arrays of numbers, next to keys of the new kind."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(seed=42):
    """A seed."""
    return {"seed": seed}


def old_kind(seed):
    """Draw three numbers with a key of the old kind."""
    return jax.random.normal(jax.random.PRNGKey(seed), (3,))


def new_kind(seed):
    """Draw three numbers with a key of the new kind."""
    return jax.random.normal(jax.random.key(seed), (3,))


def axes_of_four(seed):
    """Split a key of each kind into four, and return how many axes each result has."""
    old, new = jax.random.split(jax.random.PRNGKey(seed), 4), jax.random.split(jax.random.key(seed + 1), 4)
    return {"old": old.ndim, "new": new.ndim}


def vmap_over_one_old_key(seed):
    """Map a draw over one old key, where there should be an array of keys."""
    return jax.vmap(jax.random.normal)(jax.random.PRNGKey(seed))


def one_more_old(seed):
    """Add 1 to an old key, and draw."""
    return jax.random.normal(jax.random.PRNGKey(seed) + 1, (3,))


def one_more_new(seed):
    """Add 1 to a new key, and draw."""
    return jax.random.normal(jax.random.key(seed) + 1, (3,))


def there_and_back(seed):
    """Take the words out of a key, and make a key of them again, as a file or an old library needs it."""
    key = jax.random.key(seed)
    words = np.asarray(jax.random.key_data(key))
    again = jax.random.wrap_key_data(jnp.asarray(words))
    return {"words": words, "drawn": jax.random.normal(again, (3,))}


if __name__ == "__main__":
    for variant in (old_kind, new_kind, axes_of_four, one_more_old, there_and_back):
        print(variant.__name__, variant(**inputs()))
    for variant in (vmap_over_one_old_key, one_more_new):
        try:
            variant(**inputs())
        except TypeError as error:
            print(variant.__name__, type(error).__name__)
