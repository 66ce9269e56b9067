"""Attention, and how many (n, n) matrices its programs have in memory at one time."""

import jax
import jax.numpy as jnp


def inputs(n=1024, width=64):
    """Queries, keys and values of n tokens."""
    q, k, v = jax.random.normal(jax.random.key(0), (3, n, width))
    return {"q": q, "k": k, "v": v}


def attend(q, k, v):
    """Return a mean of the values for each token."""
    scores = q @ k.T / q.shape[1] ** 0.5
    weights = jax.nn.softmax(scores)
    return weights @ v


def attend_with_mean(q, k, v):
    """Return the same, and the mean of the scores."""
    scores = q @ k.T / q.shape[1] ** 0.5
    weights = jax.nn.softmax(scores)
    output = weights @ v
    return output, scores.mean()


def attend_in_blocks(q, k, v):
    """Return the same as `attend`, for 128 tokens at a time."""

    def one(row):
        return attend(row[None], k, v)[0]

    return jax.lax.map(one, q, batch_size=128)


def slopes_of(attention, q, k, v):
    """Return the gradient of a loss of the outputs."""

    def loss(q, k, v):
        return jnp.mean(attention(q, k, v) ** 2)

    return jax.grad(loss, argnums=(0, 1, 2))(q, k, v)


def measured(function, q, k, v):
    """Return the result, and how many (n, n) matrices the program needs besides it and its arguments."""
    memory = jax.jit(function).lower(q, k, v).compile().memory_analysis()
    matrices = memory.temp_size_in_bytes / (4 * len(q) ** 2)
    return {"result": function(q, k, v), "matrices": jnp.float32(round(matrices, 2))}


def forward(q, k, v):
    """Compute attention."""
    return measured(attend, q, k, v)


def with_mean(q, k, v):
    """Compute attention, and the mean of the scores."""
    return measured(attend_with_mean, q, k, v)


def slopes(q, k, v):
    """Compute the gradient."""
    return measured(lambda q, k, v: slopes_of(attend, q, k, v), q, k, v)


def slopes_in_blocks(q, k, v):
    """Compute the gradient in blocks."""
    forward = measured(attend_in_blocks, q, k, v)["matrices"]
    return {**measured(lambda q, k, v: slopes_of(attend_in_blocks, q, k, v), q, k, v), "forward": forward}


if __name__ == "__main__":
    for variant in (forward, with_mean, slopes, slopes_in_blocks):
        print(variant.__name__, variant(**inputs())["matrices"])
