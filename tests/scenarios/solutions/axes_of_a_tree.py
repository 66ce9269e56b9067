# %% right 1: two arguments
def predict(body, head, x):
    hidden = jnp.tanh(x @ body["weights"] + body["bias"])
    return jnp.sum(hidden * head["weights"]) + head["bias"]


def zero_for_the_tree(params, x):
    return jax.vmap(predict, in_axes=(None, 0, None))(params["body"], params["head"], x)


# %% right 1: the body stays outside
def zero_for_the_tree(params, x):
    def of_head(body, head):
        hidden = jnp.tanh(x @ body["weights"] + body["bias"])
        return jnp.sum(hidden * head["weights"]) + head["bias"]

    return jax.vmap(of_head, in_axes=(None, 0))(params["body"], params["head"])


# %% wrong 1: a loop over the heads
def zero_for_the_tree(params, x):
    body, head = params["body"], params["head"]
    hidden = jnp.tanh(x @ body["weights"] + body["bias"])
    each = zip(head["weights"], head["bias"], strict=True)
    return jnp.stack([jnp.sum(hidden * weights) + bias for weights, bias in each])


# %% wrong 1: the bias is forgotten
def zero_for_the_tree(params, x):
    def of_head(body, head):
        return jnp.sum(jnp.tanh(x @ body["weights"] + body["bias"]) * head["weights"])

    return jax.vmap(of_head, in_axes=(None, 0))(params["body"], params["head"])


# %% right 2: out_axes
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_examples = jax.vmap(predict, in_axes=(None, 0))
    return jax.vmap(of_examples, in_axes=(axes, None), out_axes=1)(params, xs)


# %% right 2: transposed at the end
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_examples = jax.vmap(predict, in_axes=(None, 0))
    return jax.vmap(of_examples, in_axes=(axes, None))(params, xs).T


# %% wrong 2: the two vmaps swapped
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_heads = jax.vmap(predict, in_axes=(axes, None))
    return jax.vmap(of_heads, in_axes=(None, 0))(params, xs)


# %% wrong 2: the numbers in another order
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_examples = jax.vmap(predict, in_axes=(None, 0))
    return jax.vmap(of_examples, in_axes=(axes, None))(params, xs).reshape(len(xs), -1)
