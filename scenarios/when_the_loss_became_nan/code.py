"""A training loop whose loss becomes NaN, and the iteration in which it does."""

import jax
import jax.numpy as jnp

STEPS = 40


def inputs(rate=2.0):
    """Six numbers, their labels, and the learning rate."""
    x = jnp.array([-3.0, -1.0, -0.5, 0.5, 1.0, 4.0])
    return {"x": x, "labels": jnp.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), "rate": rate}


def loss(w, x, labels):
    """Return the cross-entropy of the labels, given the probability of a 1."""
    p = jax.nn.sigmoid(w * x)
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))


def trained(loss, x, labels, rate):
    """Return the weight after all steps, and the loss of each step."""

    def step(w, _):
        value, slope = jax.value_and_grad(loss)(w, x, labels)
        return w - rate * slope, value

    return jax.lax.scan(step, 0.1, length=STEPS)


def train(x, labels, rate):
    """Train with `loss`."""
    return trained(loss, x, labels, rate)


def one_minus_p(x):
    """Return what `loss` takes the logarithm of, for a few weights."""
    w = jnp.array([1.0, 4.0, 5.0])
    return 1 - jax.nn.sigmoid(w[:, None] * x)


def loss_of_logits(w, x, labels):
    """Return the same cross-entropy, without the probability in between."""
    z = w * x
    return -jnp.mean(labels * jax.nn.log_sigmoid(z) + (1 - labels) * jax.nn.log_sigmoid(-z))


def train_logits(x, labels, rate):
    """Train with `loss_of_logits`."""
    return trained(loss_of_logits, x, labels, rate)


if __name__ == "__main__":
    for variant in (train, train_logits):
        weight, losses = variant(**inputs())
        print(variant.__name__, weight, losses[:5], losses[-1])
