"""Gradients that are there, or are meant not to be; in our own words.

After straight-through estimators and targets of temporal differences
(https://docs.jax.dev/en/latest/advanced-autodiff.html), double Q-learning, frozen parts of a network, relu, clipping,
masks, dropout and metrics beside the loss.
"""

import jax
import jax.numpy as jnp
from jax import lax

KEY = jax.random.key(0)
X = jnp.linspace(-1.0, 2.0, 6)
Y = jnp.cos(X)
TABLE = jnp.arange(12.0).reshape(4, 3)
W = jnp.array([0.3, 1.2, -0.7])
P = {"w": W, "t": jnp.float32(0.5)}


def straight_through_by_a_rule():
    @jax.custom_vjp
    def rounded(x):
        return jnp.round(x)

    rounded.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))
    return jax.grad(lambda w: jnp.sum(rounded(w) ** 2))(W)


def none_is_used():
    return jax.grad(lambda p: jnp.float32(1.0))(P)


def all_frozen():
    return jax.grad(lambda p: jnp.sum(lax.stop_gradient(p["w"])) * lax.stop_gradient(p["t"]))(P)


def a_metric_that_is_printed():
    def loss(p):
        jax.debug.callback(lambda _: None, jnp.round(p["t"]))
        return jnp.sum(p["w"] ** 2)

    return jax.grad(loss)(P)


def dropout():
    def loss(w):
        keep = jax.random.bernoulli(KEY, 0.5, w.shape)
        return jnp.sum(jnp.where(keep, w / 0.5, 0.0))

    return jax.grad(loss)(W)


def a_relaxed_sample():
    def loss(logits):
        return jax.nn.softmax((logits + jax.random.gumbel(KEY, (3,))) / 0.5) @ TABLE[0]

    return jax.grad(loss)(W)


def slope_of_a_slope():
    return jax.hessian(lambda w: jnp.sum(jax.nn.relu(w)))(W)


def a_training_against_it():
    def loss(w, x):
        return (w @ x) ** 2

    def robust(w):
        x = TABLE[0]
        return loss(w, x + 0.1 * jnp.sign(jax.grad(loss, argnums=1)(w, x)))

    return jax.grad(robust)(W)


def a_function_of_jaxs():
    return jax.grad(jnp.floor)(1.5), jax.grad(jnp.sign)(0.3)


def mixed_experts():
    def loss(params):
        gates = jax.nn.softmax(params["router"])
        best = jnp.argmax(gates)
        return gates[best] * (TABLE @ params["w"])[best]

    return jax.grad(loss)({"router": jnp.ones(4), "w": W})


def a_scan_that_learns():
    def step(carry, x):
        p, v = carry
        v = v + p["t"] * x
        return (p, jnp.where(v > 1.0, v - 1.0, v)), v

    return jax.grad(lambda p: lax.scan(step, (p, p["w"].sum()), X)[1].sum())(P)


def whole_numbers_beside():
    def loss(w, steps):
        return jnp.sum(w) * steps.astype(jnp.float32)

    return jax.grad(loss)(W, jnp.int32(3))
