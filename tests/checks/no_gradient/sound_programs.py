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


def straight_through():
    return jax.grad(lambda w: jnp.sum(w + lax.stop_gradient(jnp.round(w) - w)))(W)


def straight_through_by_a_rule():
    @jax.custom_vjp
    def rounded(x):
        return jnp.round(x)

    rounded.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))
    return jax.grad(lambda w: jnp.sum(rounded(w) ** 2))(W)


def straight_through_by_another_rule():
    @jax.custom_jvp
    def rounded(x):
        return jnp.round(x)

    rounded.defjvps(lambda t, _, x: t)
    return jax.grad(lambda w: jnp.sum(rounded(w) ** 2))(W)


def straight_through_of_a_choice():
    def loss(logits):
        soft = jax.nn.softmax(logits)
        hard = jax.nn.one_hot(jnp.argmax(logits), 3)
        return (soft + lax.stop_gradient(hard - soft)) @ TABLE[1]

    return jax.grad(loss)(W)


def one_that_is_not_used():
    return jax.grad(lambda p: jnp.sum(p["w"] ** 2))(P)


def none_is_used():
    return jax.grad(lambda p: jnp.float32(1.0))(P)


def frozen_by_name():
    return jax.grad(lambda p: jnp.sum(p["w"]) * lax.stop_gradient(p["t"]))(P)


def all_frozen():
    return jax.grad(lambda p: jnp.sum(lax.stop_gradient(p["w"])) * lax.stop_gradient(p["t"]))(P)


def a_frozen_encoder():
    def loss(params):
        features = lax.stop_gradient(jnp.tanh(TABLE @ params["encoder"]))
        return jnp.sum(features * params["head"])

    return jax.grad(loss)({"encoder": W, "head": 1.0})


def a_frozen_encoder_that_rounds():
    def loss(params):
        codes = lax.stop_gradient(jnp.round(TABLE @ params["encoder"]))
        return jnp.sum(codes * params["head"])

    return jax.grad(loss)({"encoder": W, "head": 1.0})


def target_of_a_temporal_difference():
    def loss(w):
        target = 1.0 + lax.stop_gradient(TABLE[1] @ w)
        return (TABLE[0] @ w - target) ** 2

    return jax.grad(loss)(W)


def double_q_learning():
    def loss(w):
        q = TABLE * w
        best = jnp.argmax(q, axis=1)
        return jnp.mean((jnp.take_along_axis(q, best[:, None], axis=1) - 1.0) ** 2)

    return jax.grad(loss)(W)


def relu_and_the_largest():
    return jax.grad(lambda w: jax.nn.relu(w).sum() + jnp.max(w) + jnp.maximum(w, 0.1).sum())(W)


def clipped():
    return jax.grad(lambda w: jnp.clip(w, -1.0, 1.0).sum() + jnp.where(w > 0, w, 0.01 * w).sum())(W)


def sorted_values():
    return jax.grad(lambda w: jnp.sum(jnp.sort(w) * jnp.arange(3.0)) + lax.top_k(w, 2)[0].sum())(W)


def absolute_values_and_remainders():
    return jax.grad(lambda w: jnp.sum(jnp.abs(w) + jnp.mod(w, 0.5)))(W)


def a_metric_beside_the_loss():
    def loss(p):
        return jnp.sum(p["w"] ** 2), {"accuracy": jnp.mean(TABLE @ p["w"] > p["t"])}

    return jax.value_and_grad(loss, has_aux=True)(P)


def a_metric_that_is_not_used():
    def loss(p):
        jnp.argmax(p["t"] * X)
        return jnp.sum(p["w"] ** 2)

    return jax.grad(loss)(P)


def a_metric_that_is_printed():
    def loss(p):
        jax.debug.callback(lambda _: None, jnp.round(p["t"]))
        return jnp.sum(p["w"] ** 2)

    return jax.grad(loss)(P)


def a_mask_of_weights():
    return jax.grad(lambda w: jnp.sum(w * (jnp.abs(w) > 0.5)))(W)


def dropout():
    def loss(w):
        keep = jax.random.bernoulli(KEY, 0.5, w.shape)
        return jnp.sum(jnp.where(keep, w / 0.5, 0.0))

    return jax.grad(loss)(W)


def the_score_of_a_sample():
    def loss(logits):
        action = jax.random.categorical(KEY, logits)
        return -jax.nn.log_softmax(logits)[action] * 2.0

    return jax.grad(loss)(W)


def a_relaxed_sample():
    def loss(logits):
        return jax.nn.softmax((logits + jax.random.gumbel(KEY, (3,))) / 0.5) @ TABLE[0]

    return jax.grad(loss)(W)


def slope_of_a_slope():
    return jax.hessian(lambda w: jnp.sum(jax.nn.relu(w)))(W)


def slope_of_a_sign():
    def penalty(w):
        return jnp.sum(jax.grad(lambda w: jnp.sum(jnp.abs(w)))(w) * w)

    return jax.grad(penalty)(W)


def a_step_by_the_sign_of_a_gradient():
    def loss(x):
        return jnp.sum((TABLE @ x) ** 2)

    return W + 0.1 * jnp.sign(jax.grad(loss)(W))


def a_training_against_it():
    def loss(w, x):
        return (w @ x) ** 2

    def robust(w):
        x = TABLE[0]
        return loss(w, x + 0.1 * jnp.sign(jax.grad(loss, argnums=1)(w, x)))

    return jax.grad(robust)(W)


def a_function_of_jaxs():
    return jax.grad(jnp.floor)(1.5), jax.grad(jnp.sign)(0.3)


def a_branch_of_python():
    def loss(p):
        scale = 2.0 if p["t"] > 0 else 1.0
        return scale * jnp.sum(p["w"])

    return jax.grad(loss)(P)


def a_number_read_by_python():
    def loss(p):
        return float(jnp.round(p["t"].item())) * jnp.sum(p["w"])

    return jax.grad(lambda w: loss({"w": w, "t": jnp.float32(1.2)}))(W)


def labels_of_a_vjp():
    def loss(w, labels):
        return jnp.sum(jnp.where(labels > 0, TABLE[:, 0] * w, 0.0))

    return jax.vjp(loss, jnp.float32(0.3), jnp.array([1.0, 0.0, 1.0, 1.0]))[1](1.0)


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


def the_shape_alone():
    return jax.grad(lambda p: jnp.sum(p["w"]) + jnp.zeros_like(p["t"]) + p["t"].ndim)(P)
