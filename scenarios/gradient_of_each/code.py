"""A batch with a wrong label: its gradient, and that of each example."""

import jax
import jax.numpy as jnp


def inputs(batch=8, features=3, longest=1000.0):
    """Examples of a linear model; the last label is wrong by 60."""
    noise_key, x_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(x_key, (batch, features))
    noise = 0.1 * jax.random.normal(noise_key, (batch,))
    y = x @ jnp.ones(features) + noise
    y = y.at[-1].add(60.0)
    return {"w": jnp.zeros(features), "x": x, "y": y, "longest": longest}


def loss_of_one(w, example, label):
    """Return the squared error of one example."""
    return (example @ w - label) ** 2


def mean_loss(w, x, y):
    """Return the mean of the squared errors."""
    losses = jax.vmap(loss_of_one, in_axes=(None, 0, 0))(w, x, y)
    return jnp.mean(losses)


def of_the_mean(w, x, y):
    """Return the gradient of the mean."""
    return jax.grad(mean_loss)(w, x, y)


def of_each(w, x, y):
    """Return the gradient of each example."""
    slope = jax.grad(loss_of_one)
    return jax.vmap(slope, in_axes=(None, 0, 0))(w, x, y)


def in_a_loop(w, x, y):
    """Return the same, one example after the other."""
    slopes = [jax.grad(loss_of_one)(w, x[i], y[i]) for i in range(len(x))]
    return jnp.stack(slopes)


def clip(gradient, longest):
    """Shorten `gradient` to the length `longest` if it is longer."""
    length = jnp.linalg.norm(gradient)
    return gradient * jnp.minimum(1.0, longest / length)


def two_means(w, x, y, longest):
    """Clip the mean; or clip each gradient, then take the mean."""
    rows = of_each(w, x, y)
    clipped = jax.vmap(clip, in_axes=(0, None))(rows, longest)
    return {
        "of_the_mean": clip(of_the_mean(w, x, y), longest),
        "of_the_rows": jnp.mean(clipped, axis=0),
    }


def column_loss(w, x, y):
    """Return the mean of the squared errors, and how many there are."""
    predictions = jnp.dot(x, w.reshape(-1, 1))
    errors = (predictions - y) ** 2
    return jnp.mean(errors), jnp.asarray(errors.size)


def of_all_pairs(w, x, y):
    """Return the gradient of this mean, and the number of errors."""
    gradient, errors = jax.grad(column_loss, has_aux=True)(w, x, y)
    return {"gradient": gradient, "errors": errors}


def row_loss(w, x, y):
    """Return the same mean for predictions in the shape of `y`."""
    predictions = jnp.dot(x, w.reshape(-1, 1)).squeeze(-1)
    errors = (predictions - y) ** 2
    return jnp.mean(errors), jnp.asarray(errors.size)


def of_own_labels(w, x, y):
    """Return the gradient of that mean, and the number of errors."""
    gradient, errors = jax.grad(row_loss, has_aux=True)(w, x, y)
    return {"gradient": gradient, "errors": errors}


if __name__ == "__main__":
    given = inputs(longest=1.0)
    data = {name: given[name] for name in ("w", "x", "y")}
    for variant in (mean_loss, of_the_mean, of_each, in_a_loop, of_all_pairs, of_own_labels):
        print(variant.__name__, variant(**data), sep="\n")
    print(two_means(**given))
