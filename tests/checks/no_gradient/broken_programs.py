"""Parameters that never learn, as they are met in issues and in teaching, in our own words.

After https://github.com/google-deepmind/dm-haiku/issues/442 (argmax in a loss), https://github.com/tensorflow/tensorflow/issues/897
(rounding by a cast to integers), https://github.com/apache/mxnet/pull/9040 (round, ceil, floor and trunc have the
gradient 0), https://github.com/pytorch/pytorch/issues/1339 (what comes before an argmax is not trained),
thresholds that are compared, samples of a Bernoulli distribution, and spikes without a surrogate.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

KEY = jax.random.key(0)
X = jnp.linspace(-1.0, 2.0, 6)
Y = jnp.cos(X)
TABLE = jnp.arange(12.0).reshape(4, 3)
W = jnp.array([0.3, 1.2, -0.7])
P = {"w": W, "t": jnp.float32(0.5)}


def round_of_a_scale():
    return jax.grad(lambda s: jnp.sum((jnp.round(X * s) - Y) ** 2))(1.3)  # warning: no-gradient


def round_as_a_method():
    return jax.grad(lambda s: jnp.sum((X * s).round() * Y))(1.3)  # warning: no-gradient


def floor_of_a_bin():
    def loss(width):
        bins = jnp.floor(X / width)  # warning: no-gradient
        return jnp.mean((bins * 0.1 - Y) ** 2)

    return jax.grad(loss)(0.2)


def ceil_of_a_time():
    return jax.value_and_grad(lambda t: jnp.ceil(t * 3.0) * 2.0)(0.4)  # warning: no-gradient


def trunc_of_a_size():
    return jax.grad(lambda t: jnp.trunc(t) ** 2)(2.5)  # warning: no-gradient


def division_to_whole_numbers():
    return jax.grad(lambda t: jnp.sum(X // t))(0.5)  # warning: no-gradient


def sign_of_an_output():
    def loss(w):
        label = jnp.sign(TABLE @ w)  # warning: no-gradient
        return jnp.mean((label - 1.0) ** 2)

    return jax.grad(loss)(W)


def argmax_in_a_loss():
    def loss(w):
        predicted = jnp.argmax(TABLE * w, axis=1)  # warning: no-gradient
        return jnp.mean((predicted - jnp.arange(4)) ** 2.0)

    return jax.grad(loss)(W)


def accuracy_as_a_loss():
    def loss(params):
        scores = TABLE @ params["w"]
        return 1.0 - jnp.mean((scores > 0.0) == jnp.array([True, False, True, True]))  # warning: no-gradient

    return jax.grad(loss)({"w": W})


def argmax_and_one_hot():
    def loss(w):
        choice = jax.nn.one_hot(jnp.argmax(w), 3)  # warning: no-gradient
        return choice @ TABLE[0]

    return jax.value_and_grad(loss)(W)


def what_comes_before_an_argmax():
    def loss(params):
        best = jnp.argmax(TABLE @ params["first"])  # warning: no-gradient
        return jnp.sum(params["second"][best] ** 2)

    return jax.grad(loss)({"first": W, "second": jnp.ones((4, 2))})


def argmin_of_distances():
    def loss(codes, x):
        nearest = jnp.argmin((x[:, None] - codes) ** 2, axis=1)  # warning: no-gradient
        return jnp.mean(nearest.astype(jnp.float32))

    return jax.grad(loss)(W, X)


def rank_by_argsort():
    return jax.grad(lambda w: jnp.sum(jnp.argsort(w) * jnp.arange(3.0)))(W)  # warning: no-gradient


def an_order_and_a_look_up():
    def loss(w):
        order = jnp.argsort(-w)  # warning: no-gradient
        return jnp.sum(TABLE[0][order] * jnp.array([3.0, 2.0, 1.0]))

    return jax.grad(loss)(W)


def indices_of_the_best():
    def loss(w):
        _, best = lax.top_k(w, 2)  # warning: no-gradient
        return TABLE[best].sum()

    return jax.grad(loss)(W)


def a_cast_to_integers():
    return jax.grad(lambda w: jnp.sum(w.astype(jnp.int32) * 1.5))(W)  # warning: no-gradient


def a_cast_to_integers_and_an_index():
    def loss(position):
        cell = jnp.int32(position)  # warning: no-gradient
        return X[cell]

    return jax.grad(loss)(2.3)


def pixels_of_bytes():
    def loss(scale):
        pixels = (X * scale).astype(jnp.uint8)  # warning: no-gradient
        return jnp.mean(pixels / 255.0)

    return jax.grad(loss)(90.0)


def a_threshold():
    def loss(params):
        return jnp.sum(jnp.where(params["t"] < X, params["w"].sum(), 0.0))  # warning: no-gradient

    return jax.grad(loss)(P)


def a_threshold_of_a_mask():
    def loss(weights, threshold):
        mask = jnp.abs(weights) > threshold  # warning: no-gradient
        return jnp.sum((weights * mask) ** 2)

    return jax.grad(loss, argnums=(0, 1))(W, 0.5)


def a_time_of_change():
    def loss(t0):
        rate = jnp.where(jnp.arange(6.0) < t0, 1.0, 3.0)  # warning: no-gradient
        return jnp.mean((rate - Y) ** 2)

    return jax.grad(loss)(2.5)


def a_step_function():
    return jax.grad(lambda t: jnp.sum(0.5 * (1.0 + jnp.sign(X - t)) * Y))(0.1)  # warning: no-gradient


def spikes_without_a_surrogate():
    def loss(w):
        def step(v, current):
            v = 0.9 * v + w * current
            spike = (v > 1.0).astype(jnp.float32)  # warning: no-gradient
            return v * 0.5, spike

        _, spikes = lax.scan(step, 0.0, X)
        return jnp.sum(spikes)

    return jax.grad(loss)(0.8)


def a_count():
    return jax.grad(lambda w: 1.0 * jnp.count_nonzero(w > 0))(W)  # warning: no-gradient


def a_decision_tree():
    def loss(params):
        left = params["t"] >= X  # warning: no-gradient
        return jnp.mean((jnp.where(left, params["a"], params["b"]) - Y) ** 2)

    return jax.grad(loss)({"t": 0.2, "a": 1.0, "b": -1.0})


def a_bernoulli_sample():
    def loss(p):
        draw = jax.random.bernoulli(KEY, p, (6,))  # warning: no-gradient
        return jnp.mean(draw * Y)

    return jax.grad(loss)(0.4)


def a_categorical_sample():
    def loss(logits):
        action = jax.random.categorical(KEY, logits)  # warning: no-gradient
        return TABLE[action].sum()

    return jax.grad(loss)(W)


def a_uniform_number_compared():
    def loss(rate):
        keep = jax.random.uniform(KEY, (6,)) < rate  # warning: no-gradient
        return jnp.sum(jnp.where(keep, X, 0.0))

    return jax.grad(loss)(0.5)


def in_jit():
    @jax.jit
    def step(s):
        return s - 0.1 * jax.grad(lambda s: jnp.sum(jnp.round(X * s) ** 2))(s)  # warning: no-gradient

    return step(1.1)


def of_a_jitted_function():
    @jax.jit
    def loss(s):
        return jnp.sum(jnp.round(X * s) ** 2)  # warning: no-gradient

    return jax.grad(loss)(1.1)


def of_a_jitted_helper():
    @jax.jit
    def quantize(x):
        return jnp.floor(x * 4.0) / 4.0  # warning: no-gradient

    return jax.grad(lambda w: jnp.sum(quantize(w) * w.shape[0]))(W)


def beside_one_that_learns():
    @jax.jit
    def model(params, x):
        return params["slope"] * x + jnp.round(params["shift"])  # warning: no-gradient

    def loss(params):
        return jnp.mean((model(params, X) - Y) ** 2)

    return jax.grad(loss)({"slope": 1.0, "shift": 0.4})


def in_a_scan():
    def loss(params):
        def step(carry, x):
            return carry * params["decay"] + jnp.floor(params["gain"] * 2.0) * x, None  # warning: no-gradient

        return lax.scan(step, 0.0, X)[0]

    return jax.grad(loss)({"decay": 0.9, "gain": 1.2})


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


def for_each_example():
    def loss(w, x):
        return jnp.sign(w @ x)  # warning: no-gradient

    return jax.vmap(jax.grad(loss), (None, 0))(W, TABLE)


def a_vmap_in_the_loss():
    def loss(w):
        return jnp.mean(jax.vmap(lambda row: jnp.argmax(row * w) * 1.0)(TABLE))  # warning: no-gradient

    return jax.grad(loss)(W)


def with_other_results():
    def loss(w):
        rounded = jnp.round(w)  # warning: no-gradient
        return jnp.sum(rounded**2), {"mean": w.mean()}

    return jax.value_and_grad(loss, has_aux=True)(W)


def all_stopped():
    def loss(w):
        predicted = TABLE @ w
        return jnp.mean((lax.stop_gradient(predicted) - 1.0) ** 2)  # warning: no-gradient

    return jax.grad(loss)(W)


def all_of_a_vjp():
    _, backward = jax.vjp(lambda w: jnp.floor(w), W)  # warning: no-gradient
    return backward(jnp.ones(3))


def parameters_in_a_record():
    class Params(NamedTuple):
        scale: jax.Array
        offset: jax.Array

    def loss(params):
        return jnp.sum(jnp.round(X * params.scale) + params.offset)  # warning: no-gradient

    return jax.grad(loss)(Params(jnp.float32(1.2), jnp.float32(0.1)))


def a_partial():
    def loss(x, s):
        return jnp.sum(jnp.round(x * s))  # warning: no-gradient

    return jax.grad(functools.partial(loss, X))(1.2)


def a_loop_of_training():
    w = jnp.float32(0.3)
    for _ in range(4):
        w -= 0.1 * jax.grad(lambda w: (jnp.round(w) - 2.0) ** 2)(w)  # warning: no-gradient
    return w


def a_histogram():
    def loss(edges):
        place = jnp.digitize(X, jnp.sort(edges))  # warning: no-gradient
        return jnp.mean(place * Y)

    return jax.grad(loss)(W)


def by_a_helper_that_takes_every_gradient():
    def slope(function, x):
        return jax.grad(lambda x: function(x))(x)

    sound = [slope(jnp.sum, W), slope(jnp.prod, W), slope(jnp.max, W)]
    return sound, slope(lambda w: jnp.round(w).sum(), W)  # warning: no-gradient


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
