"""A function of one example, line by line, under vmap."""

import jax
import jax.numpy as jnp


def inputs(batch=32, features=20, classes=10):
    """Weights, weights for each example, and a batch."""
    w_key, ws_key, x_key = jax.random.split(jax.random.key(0), 3)
    w = jax.random.normal(w_key, (features, classes))
    ws = jax.random.normal(ws_key, (batch, features, classes))
    return {"w": w, "ws": ws, "x": jax.random.normal(x_key, (batch, features))}


def classify(weights, example):
    """Return unit weights, the scores of one example, and the weights of its best class."""
    lengths = jnp.sqrt(jnp.sum(weights**2, axis=0))
    unit = weights / lengths
    scores = example @ unit
    best = jnp.argmax(scores)
    nearest = unit[:, best]
    return {"unit": unit, "scores": scores, "nearest": nearest}


def unit_without_axis(w, x):
    """Return the unit weights without a batch axis."""
    out_axes = {"unit": None, "scores": 0, "nearest": 0}
    return jax.vmap(classify, in_axes=(None, 0), out_axes=out_axes)(w, x)


def nearest_without_axis(w, x):
    """Return the nearest weights without a batch axis."""
    out_axes = {"unit": None, "scores": 0, "nearest": None}
    return jax.vmap(classify, in_axes=(None, 0), out_axes=out_axes)(w, x)


def one_for_all(w, x):
    """Map over the examples; the weights are the same for all."""
    return jax.vmap(classify, in_axes=(None, 0))(w, x)


def own_weights(ws, x):
    """Map over the examples, and over weights for each of them."""
    return jax.vmap(classify)(ws, x)


if __name__ == "__main__":
    given = inputs()
    w, ws, x = given["w"], given["ws"], given["x"]
    for results in (unit_without_axis(w, x), one_for_all(w, x), own_weights(ws, x)):
        print({name: each.shape for name, each in results.items()})
    try:
        nearest_without_axis(w, x)
    except ValueError as error:
        print(error)
