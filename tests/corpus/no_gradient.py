"""Parameters that never learn, as they are met in issues and in teaching, in our own words.

After https://github.com/google-deepmind/dm-haiku/issues/442 (argmax in a loss), https://github.com/tensorflow/tensorflow/issues/897
(rounding by a cast to integers), https://github.com/apache/mxnet/pull/9040 (round, ceil, floor and trunc have the
gradient 0), https://github.com/pytorch/pytorch/issues/1339 (what comes before an argmax is not trained),
thresholds that are compared, samples of a Bernoulli distribution, and spikes without a surrogate.

Sound ones: gradients that are there, or are meant not to be; in our own words.

After straight-through estimators and targets of temporal differences
(https://docs.jax.dev/en/latest/advanced-autodiff.html), double Q-learning, frozen parts of a network, relu, clipping,
masks, dropout and metrics beside the loss.
"""

import jax
import jax.numpy as jnp
from jax import lax

X = jnp.linspace(-1.0, 2.0, 6)
TABLE = jnp.arange(12.0).reshape(4, 3)
W = jnp.array([0.3, 1.2, -0.7])
P = {"w": W, "t": jnp.float32(0.5)}


# -- programs -------------------------------------------------------------------------------------


def a_cast_to_integers_and_an_index():
    def loss(position):
        cell = jnp.int32(position)  # warning: no-gradient
        return X[cell]

    return jax.grad(loss)(2.3)


def in_jit():
    @jax.jit
    def step(s):
        return s - 0.1 * jax.grad(lambda s: jnp.sum(jnp.round(X * s) ** 2))(s)  # warning: no-gradient

    return step(1.1)


def of_a_jitted_helper():
    @jax.jit
    def quantize(x):
        return jnp.floor(x * 4.0) / 4.0  # warning: no-gradient

    return jax.grad(lambda w: jnp.sum(quantize(w) * w.shape[0]))(W)


def in_a_branch():
    def loss(params):
        return lax.cond(
            X[0] < 0,
            lambda p: p["a"] * jnp.sign(p["b"]),  # warning: no-gradient
            lambda p: p["a"],
            params,
        )

    return jax.grad(loss)({"a": 2.0, "b": 0.3})


def in_a_checkpoint():
    @jax.checkpoint
    def layer(w):
        return jnp.sum(jnp.round(w))  # warning: no-gradient

    return jax.grad(layer)(W)


def a_vmap_in_the_loss():
    def loss(w):
        return jnp.mean(jax.vmap(lambda row: jnp.argmax(row * w) * 1.0)(TABLE))  # warning: no-gradient

    return jax.grad(loss)(W)


def all_stopped():
    def loss(w):
        predicted = TABLE @ w
        return jnp.mean((lax.stop_gradient(predicted) - 1.0) ** 2)  # warning: no-gradient

    return jax.grad(loss)(W)


def all_of_a_vjp():
    _, backward = jax.vjp(lambda w: jnp.floor(w), W)  # warning: no-gradient
    return backward(jnp.ones(3))


def of_parts_of_a_class():
    @jax.tree_util.register_pytree_node_class
    class Layer:
        def __init__(self, w):
            self.w = w

        def tree_flatten(self):
            return (self.w,), None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)

    return jax.grad(lambda layer: jnp.sum(jnp.floor(layer.w)))(Layer(W))  # warning: no-gradient


def of_an_estimate_whose_target_is_stopped():
    def loss(w):
        target = 1.0 + lax.stop_gradient(TABLE[1] @ w)
        return (jnp.round(TABLE[0] @ w) - target) ** 2  # warning: no-gradient

    return jax.grad(loss)(W)


# -- sound ----------------------------------------------------------------------------------------


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


# -- fixed ----------------------------------------------------------------------------------------


def a_round():
    # fixed "return jnp.sum(((levels + jax.lax.stop_gradient(jnp.round(levels) - levels)) - 1.3) ** 2)"
    x = jnp.linspace(0.0, 3.0, 5)

    @jax.jit
    def loss(scale):
        levels = x * scale
        return jnp.sum((jnp.round(levels) - 1.3) ** 2)  # warning: no-gradient

    return jax.grad(loss)(0.7)


def threshold():
    # no fix
    x = jnp.linspace(0.0, 3.0, 5)
    params = {"threshold": 1.0, "height": 2.0}

    def loss(params):
        return jnp.mean(jnp.where(x > params["threshold"], params["height"], 0.0))  # warning: no-gradient

    return jax.value_and_grad(loss)(params)


def straight_through():
    # in full
    def loss(x):
        return jnp.sum(x + jax.lax.stop_gradient(jnp.round(x) - x))

    return jax.grad(loss)(jnp.linspace(0.0, 3.0, 5))
