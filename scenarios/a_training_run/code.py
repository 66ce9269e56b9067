"""A whole training run: data, batches, a key for each step, the loss, and the loss on data that it has not seen."""

from importlib.util import find_spec

import jax
import jax.numpy as jnp


def inputs(epochs=10, batch=16, seed=0):
    """The key of the run, how often it goes through the data, and how many examples a batch has."""
    return {"key": jax.random.key(seed), "epochs": epochs, "batch": batch}


def measured(key, n):
    """Draw n points of a wave, each with an error of measurement."""
    x_key, error_key = jax.random.split(key)
    x = jax.random.uniform(x_key, (n,), maxval=2 * jnp.pi)
    return x, jnp.sin(x) + jnp.sin(2 * x) + 0.5 * jax.random.normal(error_key, (n,))


def start(key):
    """Draw the first parameters: a weight for each of 20 waves, and a constant."""
    return {"w": 0.1 * jax.random.normal(key, (20,)), "b": jnp.float32(0)}


def predict(parameters, x):
    """Return the weighted sum of the waves."""
    waves = x[:, None] * jnp.arange(1.0, 11)
    return jnp.hstack([jnp.sin(waves), jnp.cos(waves)]) @ parameters["w"] + parameters["b"]


@jax.jit
def loss(parameters, x, y):
    """Return the mean squared error."""
    return jnp.mean((predict(parameters, x) - y) ** 2)


@jax.jit
def step(parameters, x, y, key):
    """Move each x a little, at random, and take one step of gradient descent."""
    moved = x + 0.02 * jax.random.normal(key, x.shape)
    value, slopes = jax.value_and_grad(loss)(parameters, moved, y)
    return jax.tree.map(lambda leaf, slope: leaf - 0.2 * slope, parameters, slopes), value


def in_batches(key, x, y, batch):
    """Put the examples in a new order, and cut them into batches."""
    order = jax.random.permutation(key, len(x))
    return x[order].reshape(-1, batch), y[order].reshape(-1, batch)


def in_batches_apart(key, x, y, batch):
    """Put each x in a new order, and each y."""
    x_key, y_key = jax.random.split(key)
    xs = jax.random.permutation(x_key, x).reshape(-1, batch)
    return xs, jax.random.permutation(y_key, y).reshape(-1, batch)


def new_key_each_step(key, count):
    """Return a key for each step."""
    return jax.random.split(key, count)


def one_key_each_step(key, count):
    """Return the same key for each step."""
    return [key] * count


def run(key, epochs, batch, cut, keys_for):
    """Train; return the loss of each step, and after each epoch the loss on all training data and on test data."""
    train_key, test_key, start_key, epochs_key = jax.random.split(key, 4)
    train_data, test_data = measured(train_key, 64), measured(test_key, 512)
    parameters = start(start_key)
    losses, train, test = [], [], []
    for epoch in range(epochs):
        order_key, noise_key = jax.random.split(jax.random.fold_in(epochs_key, epoch))
        xs, ys = cut(order_key, *train_data, batch)
        for x, y, step_key in zip(xs, ys, keys_for(noise_key, len(xs)), strict=True):
            parameters, value = step(parameters, x, y, step_key)
            losses.append(value)
        train.append(loss(parameters, *train_data))
        test.append(loss(parameters, *test_data))
    return {"loss": jnp.stack(losses), "train": jnp.stack(train), "test": jnp.stack(test)}


def training_run(key, epochs, batch):
    """Train the model."""
    return run(key, epochs, batch, in_batches, new_key_each_step)


def same_noise(key, epochs, batch):
    """Train it with one key for all steps of an epoch."""
    return run(key, epochs, batch, in_batches, one_key_each_step)


def it_does_not_learn(key, epochs, batch):
    """Train it with a mistake in the batches."""
    return run(key, epochs, batch, in_batches_apart, new_key_each_step)


if find_spec("optax"):
    import optax

    adam = optax.adam(0.05)

    @jax.jit
    def adam_step(parameters, state, x, y):
        """Take one step of Adam, which keeps a state between the steps."""
        value, slopes = jax.value_and_grad(loss)(parameters, x, y)
        updates, state = adam.update(slopes, state)
        return optax.apply_updates(parameters, updates), state, value

    def with_optax(key, epochs, batch):
        """Train with Adam of Optax, without noise."""
        data_key, start_key, epochs_key = jax.random.split(key, 3)
        data, parameters, losses = measured(data_key, 64), start(start_key), []
        state = adam.init(parameters)
        for epoch in range(epochs):
            for x, y in zip(*in_batches(jax.random.fold_in(epochs_key, epoch), *data, batch), strict=True):
                parameters, state, value = adam_step(parameters, state, x, y)
                losses.append(value)
        return {"loss": jnp.stack(losses)}


if __name__ == "__main__":
    for variant in (training_run, same_noise, it_does_not_learn):
        found = variant(**inputs())
        print(variant.__name__, {name: float(each[-1]) for name, each in found.items()})
