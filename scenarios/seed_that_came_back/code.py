"""A batch for each epoch, and a test set that training must not see."""

import jax
import jax.numpy as jnp


def inputs(epochs=4, points=6):
    """How long the training goes on, and how many points a batch has."""
    return {"epochs": epochs, "points": points}


def numbered_seeds(epochs, points):
    """A seed for the test set, and the epoch's number for each batch."""
    test_key = jax.random.key(1)
    test = jax.random.normal(test_key, (points,))
    batches = []
    for epoch in range(epochs):
        key = jax.random.key(epoch)
        batches.append(jax.random.normal(key, (points,)))
    return jnp.stack([test, *batches])


def other_seed(epochs, points):
    """The same with 10 as the seed of the test set."""
    test_key = jax.random.key(10)
    test = jax.random.normal(test_key, (points,))
    batches = []
    for epoch in range(epochs):
        key = jax.random.key(epoch)
        batches.append(jax.random.normal(key, (points,)))
    return jnp.stack([test, *batches])


def one_root(epochs, points):
    """One seed for the whole program; all other keys come from it."""
    test_key, train_key = jax.random.split(jax.random.key(1))
    test = jax.random.normal(test_key, (points,))
    batches = []
    for epoch in range(epochs):
        key = jax.random.fold_in(train_key, epoch)
        batches.append(jax.random.normal(key, (points,)))
    return jnp.stack([test, *batches])


if __name__ == "__main__":
    for variant in (numbered_seeds, other_seed, one_root):
        rows = variant(**inputs())
        (seen,) = jnp.nonzero((rows[1:] == rows[0]).all(axis=1))
        print(variant.__name__, rows[0, 0], "trained on in epochs", seen)
