"""Two draws: from the same key, or from two keys."""

import jax


def inputs(size=5, seed=0):
    """Return one key; the window makes a control of each argument here."""
    return {"key": jax.random.key(seed), "size": size}


def same_key(key, size):
    """Draw twice from the key that came in."""
    return jax.random.normal(key, (size,)) - jax.random.normal(key, (size,))


def two_keys(key, size):
    """Split the key first, then draw from each half."""
    first, second = jax.random.split(key)
    return jax.random.normal(first, (size,)) - jax.random.normal(second, (size,))


if __name__ == "__main__":
    print(same_key(**inputs()), two_keys(**inputs()))
