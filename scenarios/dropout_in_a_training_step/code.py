"""A jitted training step with dropout: the masks, the loss and the gradient of one step."""

import jax
import jax.numpy as jnp


def inputs(batch=32, features=24, rate=0.25, seed=0):
    """The weights of a linear layer, a batch with its targets, and the key of this step."""
    weights_key, x_key, y_key, key = jax.random.split(jax.random.key(seed), 4)
    return {
        "weights": jax.random.normal(weights_key, (features, 8)),
        "x": jax.random.normal(x_key, (batch, features)),
        "y": jax.random.normal(y_key, (batch, 8)),
        "rate": rate,
        "key": key,
    }


def keep_mask(key, rate, shape):
    """Return True where a value is kept."""
    return jax.random.bernoulli(key, 1 - rate, shape)


def loss(weights, x, y, rate, keep):
    """Return the squared error of the layer; features that `keep` does not keep are dropped."""
    return jnp.mean((jnp.where(keep, x / (1 - rate), 0) @ weights - y) ** 2)


def step(weights, x, y, rate, keep):
    """Return the results of one training step: the masks, the loss, and the gradient of the weights."""
    value, gradient = jax.value_and_grad(loss)(weights, x, y, rate, keep)
    return {"gradient": gradient, "keep": keep, "loss": value, "rows_of_zeros": (gradient == 0).all(axis=1).sum()}


@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    """Draw the masks under vmap, from the key of the step."""
    keep = jax.vmap(lambda example: keep_mask(key, rate, example.shape))(x)
    return step(weights, x, y, rate, keep)


@jax.jit
def key_per_example(weights, x, y, rate, key):
    """Split the key of the step, then map over the keys."""
    keys = jax.random.split(key, len(x))
    keep = jax.vmap(lambda example, key: keep_mask(key, rate, example.shape))(x, keys)
    return step(weights, x, y, rate, keep)


@jax.jit
def rate_in_percent(weights, x, y, rate, key):
    """Draw the masks of the batch at once, with a rate in percent."""
    keep = keep_mask(key, 100 * rate, x.shape)
    return step(weights, x, y, rate, keep)


@jax.jit
def rate_as_fraction(weights, x, y, rate, key):
    """Draw the masks of the batch at once, with a rate from 0 to 1."""
    keep = keep_mask(key, rate, x.shape)
    return step(weights, x, y, rate, keep)


if __name__ == "__main__":
    for variant in (key_of_the_step, key_per_example, rate_in_percent, rate_as_fraction):
        result = variant(**inputs())
        masks = len(jnp.unique(result["keep"], axis=0))
        print(variant.__name__, "distinct masks:", masks, "rows of zeros:", result["rows_of_zeros"])
