"""A network with a body and several heads, all in one dict."""

import jax
import jax.numpy as jnp


def inputs(features=5, hidden=4, heads=3, examples=6):
    """Parameters as a dict of dicts, one example, and a batch of them."""
    keys = jax.random.split(jax.random.key(0), 3)
    body = {"weights": jax.random.normal(keys[0], (features, hidden)), "bias": jnp.ones(hidden)}
    head = {"weights": jax.random.normal(keys[1], (heads, hidden)), "bias": jnp.arange(1.0 * heads)}
    xs = jax.random.normal(keys[2], (examples, features))
    return {"params": {"body": body, "head": head}, "x": xs[0], "xs": xs}


def predict(params, x):
    """Return the output of one head for one example, a single number."""
    body, head = params["body"], params["head"]
    hidden = jnp.tanh(x @ body["weights"] + body["bias"])
    return jnp.sum(hidden * head["weights"]) + head["bias"]


def zero_for_the_tree(params, x):
    """One 0 for all the parameters."""
    return jax.vmap(predict, in_axes=(0, None))(params, x)


def one_for_each_part(params, x):
    """A dict of axes instead of one number."""
    axes = {"body": None, "head": 0}
    return jax.vmap(predict, in_axes=(axes, None))(params, x)


def twice(params, xs):
    """One vmap for the examples, and another one around it for the heads."""
    axes = {"body": None, "head": 0}
    of_examples = jax.vmap(predict, in_axes=(None, 0))
    return jax.vmap(of_examples, in_axes=(axes, None))(params, xs)


if __name__ == "__main__":
    given = inputs()
    print(jax.tree.map(jnp.shape, given["params"]))
    try:
        zero_for_the_tree(given["params"], given["x"])
    except ValueError as error:
        print(error)
    print(one_for_each_part(given["params"], given["x"]))
    print(twice(given["params"], given["xs"]).shape)
