"""A small linear model, trained with noise on its inputs."""

import jax
import jax.numpy as jnp


def inputs(batch=64, features=8, steps=80, noise=1.0, seed=0):
    """A batch of inputs, the targets of a known linear model, and the key of the training run."""
    data_key, model_key, key = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(data_key, (batch, features))
    y = x @ jax.random.normal(model_key, (features,))
    return {"x": x, "y": y, "noise": noise, "keys": jax.random.split(key, steps)}


def noise_of_batch(key, x, shared):
    """Return noise for each example: from one key for all of them, or from a key for each."""

    def draw(example, key):
        return jax.random.normal(key, example.shape)

    if shared:
        return jax.vmap(draw, in_axes=(0, None))(x, key)
    return jax.vmap(draw)(x, jax.random.split(key, len(x)))


def train(x, y, noise, keys, shared):
    """Return the loss on clean inputs after each step, and the mean of the noise over the batch in each."""

    def loss(weights, x):
        return jnp.mean((x @ weights - y) ** 2)

    def step(weights, key):
        added = noise * noise_of_batch(key, x, shared)
        weights = weights - 0.1 * jax.grad(loss)(weights, x + added)
        return weights, (loss(weights, x), added.mean(axis=0))

    losses, means = jax.lax.scan(step, jnp.zeros(x.shape[1]), keys)[1]
    spread = means.var()
    return {"loss": losses, "effective_examples": noise**2 / spread, "mean_noise": means}


def shared_noise(x, y, noise, keys):
    """Train with noise from one key for the whole batch."""
    return train(x, y, noise, keys, shared=True)


def independent_noise(x, y, noise, keys):
    """Train with noise from a key for each example."""
    return train(x, y, noise, keys, shared=False)


if __name__ == "__main__":
    for variant in (shared_noise, independent_noise):
        result = variant(**inputs())
        print(variant.__name__, "last loss", result["loss"][-1], "effective_examples", result["effective_examples"])
