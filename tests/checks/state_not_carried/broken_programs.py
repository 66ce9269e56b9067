"""Training loops that begin each iteration with the first state again; in our own words.

Training loops as people write them with Optax, Flax, Haiku and Equinox, where the state is carried; here it is not.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

KEY = jax.random.key(0)
X = np.linspace(-1.0, 1.0, 24).reshape(4, 2, 3).astype(np.float32)
PARAMS = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}


class Adam(NamedTuple):
    count: Any
    mu: Any
    nu: Any


class Trace(NamedTuple):
    trace: Any


class Empty(NamedTuple):
    pass


class Optimizer(NamedTuple):
    init: Any
    update: Any


def zeros(tree):
    return jax.tree.map(jnp.zeros_like, tree)


def adam(rate=1e-2):
    def init(params):
        return Adam(jnp.zeros((), jnp.int32), zeros(params), zeros(params))

    def update(grads, state, params=None):
        count = state.count + 1
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.mu, grads)
        nu = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state.nu, grads)
        updates = jax.tree.map(
            lambda m, v: -rate * m / (1 - 0.9**count) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8), mu, nu
        )
        return updates, Adam(count, mu, nu)

    return Optimizer(init, update)


def momentum(rate=1e-2):
    def update(grads, state, params=None):
        trace = jax.tree.map(lambda t, g: 0.9 * t + g, state.trace, grads)
        return jax.tree.map(lambda t: -rate * t, trace), Trace(trace)

    return Optimizer(lambda params: Trace(zeros(params)), update)


def chain(*optimizers):
    def update(grads, states, params=None):
        new = []
        for optimizer, state in zip(optimizers, states, strict=True):
            grads, changed = optimizer.update(grads, state, params)
            new.append(changed)
        return grads, tuple(new)

    return Optimizer(lambda params: tuple(each.init(params) for each in optimizers), update)


def clip(most):
    def update(grads, state, params=None):
        return jax.tree.map(lambda g: jnp.clip(g, -most, most), grads), state

    return Optimizer(lambda params: Empty(), update)


def apply(params, updates):
    return jax.tree.map(jnp.add, params, updates)


def predict(params, x):
    return x @ params["w"] + params["b"]


def loss_of(params, x):
    return jnp.mean((predict(params, x) - jnp.sum(x, axis=1, keepdims=True)) ** 2)


def made(opt):
    """Return a new step of training with `opt`."""

    def step(params, opt_state, x):
        loss, grads = jax.value_and_grad(loss_of)(params, x)
        updates, opt_state = opt.update(grads, opt_state, params)
        return apply(params, updates), opt_state, loss

    return step


def normalized(params, stats, x):
    mean, var = jnp.mean(x, axis=0), jnp.var(x, axis=0)
    new = {"mean": 0.9 * stats["mean"] + 0.1 * mean, "var": 0.9 * stats["var"] + 0.1 * var}
    return predict(params, (x - mean) / jnp.sqrt(var + 1e-5)), new


def evaluated(params, stats, x):
    return predict(params, (x - stats["mean"]) / jnp.sqrt(stats["var"] + 1e-5))


STATS = {"mean": jnp.zeros(3), "var": jnp.ones(3)}


def an_underscore():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def an_index():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params = step(params, opt_state, x)[0]  # warning: state-not-carried
    return params


def an_index_of_a_name():
    opt = momentum()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        out = step(params, opt_state, x)  # warning: state-not-carried
        params, loss = out[0], out[2]
    return params, loss


def a_static_argument():
    opt = adam()

    @functools.partial(jax.jit, static_argnames="train")
    def step(params, train, opt_state, x):
        new, state, loss = made(opt)(params, opt_state, x)
        return (new if train else params), state, loss

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, True, opt_state, x)  # warning: state-not-carried
    return params, loss


def a_function_around_it():
    opt = momentum()
    compiled = jax.jit(made(opt))

    def step(params, opt_state, x):
        return compiled(params, opt_state, x)

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def a_call_before_the_loop_that_compiles():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    jax.block_until_ready(step(params, opt_state, X[0]))
    for x in X:
        params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def a_method_called_in_a_loop():
    class Trainer:
        def __init__(self, opt):
            self.params, self.opt_state = PARAMS, opt.init(PARAMS)
            self._step = jax.jit(made(opt))

        def step(self, x):
            self.params, _, loss = self._step(self.params, self.opt_state, x)  # warning: state-not-carried
            return loss

    trainer = Trainer(adam())
    for x in X:
        trainer.step(x)
    return trainer.params


def attributes_in_a_method_with_a_loop():
    class Trainer:
        def __init__(self, opt):
            self.weights, self.moments = PARAMS, opt.init(PARAMS)
            self.step = jax.jit(made(opt))

        def fit(self, data):
            for x in data:
                self.weights, _, self.loss = self.step(self.weights, self.moments, x)  # warning: state-not-carried

    trainer = Trainer(momentum())
    trainer.fit(X)
    return trainer.weights


def velocities_of_the_same_form():
    @jax.jit
    def step(params, velocity, x):
        grads = jax.grad(loss_of)(params, x)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
        return jax.tree.map(lambda p, v: p - 0.1 * v, params, velocity), velocity

    params, velocity = PARAMS, zeros(PARAMS)
    for x in X:
        params, _ = step(params, velocity, x)  # warning: state-not-carried
    return params


def a_tuple_of_two_arguments():
    opt = adam()

    @jax.jit
    def step(both, x):
        params, opt_state, loss = made(opt)(*both, x)
        return (params, opt_state), loss

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        (params, _), loss = step((params, opt_state), x)  # warning: state-not-carried
    return params, loss


def a_result_with_names():
    class Out(NamedTuple):
        params: Any
        opt_state: Any
        loss: Any

    opt = adam()
    step = jax.jit(lambda params, opt_state, x: Out(*made(opt)(params, opt_state, x)))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        out = step(params, opt_state, x)  # warning: state-not-carried
        params = out.params
    return params, out.loss


def statistics_next_to_an_optimizer():
    opt = adam()

    @jax.jit
    def train_step(params, opt_state, stats, x):
        def loss(params):
            y, new = normalized(params, stats, x)
            return jnp.mean((y - 1.0) ** 2), new

        (value, stats), grads = jax.value_and_grad(loss, has_aux=True)(params)
        updates, opt_state = opt.update(grads, opt_state, params)
        return apply(params, updates), opt_state, stats, value

    params, opt_state, stats = PARAMS, opt.init(PARAMS), STATS
    for x in X:
        params, opt_state, _, value = train_step(params, opt_state, stats, x)  # warning: state-not-carried
    return evaluated(params, stats, X[1]), value


def an_unrolled_loop():
    opt = momentum()
    step = jax.jit(made(opt))

    @jax.jit
    def train(params, opt_state):
        for x in X:
            params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
        return params, loss

    return train(PARAMS, opt.init(PARAMS))


def a_new_state_that_nothing_reads():
    opt = chain(clip(1.0), momentum())

    @jax.jit
    def update(weights, state, x):
        gradient = jax.grad(loss_of)(weights, x)
        deltas, new_state = opt.update(gradient, state, weights)
        return apply(weights, deltas)

    weights, state = PARAMS, opt.init(PARAMS)
    for n in range(3):
        weights = update(weights, state, X[n])  # warning: state-not-carried
    return weights
