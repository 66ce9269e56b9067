"""Training loops that carry their states, and loops that begin from the same one on purpose; in our own words.

The first ones are those of ``broken_programs.py`` as the examples of Optax, Flax, Haiku and Equinox have them. The
others are evaluation, recurrent networks, samplers, environments, searches, averages and references.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tests.checks.state_not_carried.broken_programs import (
    KEY,
    PARAMS,
    STATS,
    X,
    adam,
    apply,
    loss_of,
    made,
    normalized,
    predict,
    zeros,
)


def carried_by_an_update_of_a_dictionary():
    @jax.jit
    def step(params, state, x):
        grads = jax.grad(loss_of)(params, x)
        velocity = jax.tree.map(lambda v, g: 0.9 * v - 0.1 * g, state["velocity"], grads)
        return apply(params, velocity), {"velocity": velocity}

    params, state = PARAMS, {"velocity": zeros(PARAMS)}
    for x in X:
        params, new = step(params, state, x)
        state.update(new)
    return params


def evaluation():
    @jax.jit
    def test(params, stats, x):
        y, new = normalized(params, stats, x)
        return new, jnp.mean(y)

    scores = []
    for x in X:
        _, score = test(PARAMS, STATS, x)
        scores.append(score)
    return scores, STATS


def a_recurrent_network():
    @jax.jit
    def rnn(params, h, xs):
        return lax.scan(lambda h, x: (jnp.tanh(h + predict(params, x)),) * 2, h, xs)

    h = jnp.zeros(2)
    outputs = []
    for xs in X:
        _, ys = rnn(PARAMS, h, xs)
        outputs.append(ys)
    return outputs


def training_a_recurrent_network():
    opt = adam()

    @jax.jit
    def step(params, opt_state, h, xs):
        def loss(params):
            last, _ = lax.scan(lambda h, x: (jnp.tanh(h + predict(params, x)), None), h, xs)
            return jnp.sum(last**2), last

        grads, h = jax.grad(loss, has_aux=True)(params)
        updates, opt_state = opt.update(grads, opt_state)
        return apply(params, updates), opt_state, h

    params, opt_state, h = PARAMS, opt.init(PARAMS), jnp.zeros(2)
    for xs in X:
        params, opt_state, _ = step(params, opt_state, h, xs)
    return params, h


def training_an_lstm_step():
    class Cell(NamedTuple):
        h: Any
        c: Any

    @jax.jit
    def step(params, state, x):
        def loss(params):
            c = 0.5 * state.c + predict(params, x)
            h = jnp.tanh(c + state.h)
            return jnp.mean(h**2), Cell(h, c)

        grads, state = jax.grad(loss, has_aux=True)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), state

    params, state = PARAMS, Cell(jnp.zeros((2, 2)), jnp.zeros((2, 2)))
    for x in X:
        params, _ = step(params, state, x)
    return params, state


def an_average_that_is_kept_elsewhere():
    opt = adam()

    @jax.jit
    def step(params, opt_state, ema, x):
        params, opt_state, loss = made(opt)(params, opt_state, x)
        return params, opt_state, jax.tree.map(lambda e, p: 0.99 * e + 0.01 * p, ema, params), loss

    params, opt_state, ema, kept = PARAMS, opt.init(PARAMS), PARAMS, []
    for x in X:
        params, opt_state, new, _ = step(params, opt_state, ema, x)
        kept.append(new)
        ema = kept[-1]
    return predict(ema, X[0])


def leapfrog_with_new_momenta():
    @jax.jit
    def leapfrog(q, p):
        p = jax.tree.map(lambda p, q: p - 0.05 * q, p, q)
        q = jax.tree.map(lambda q, p: q + 0.1 * p, q, p)
        return q, jax.tree.map(lambda p, q: p - 0.05 * q, p, q)

    q, key = {"a": jnp.ones(3), "b": jnp.ones(2)}, KEY
    for _ in range(3):
        key, subkey = jax.random.split(key)
        p = {"a": jax.random.normal(subkey, (3,)), "b": jnp.ones(2)}
        q, _ = leapfrog(q, p)
    return q


def many_leapfrog_steps_inside():
    @jax.jit
    def trajectory(q, p):
        def one(_, both):
            q, p = both
            p = jax.tree.map(lambda p, q: p - 0.1 * q, p, q)
            return jax.tree.map(lambda q, p: q + 0.1 * p, q, p), p

        return lax.fori_loop(0, 5, one, (q, p))

    q, p = {"a": jnp.ones(3), "b": jnp.ones(2)}, {"a": jnp.ones(3), "b": jnp.zeros(2)}
    for _ in range(3):
        q, _ = trajectory(q, p)
    return q


def a_whole_training_for_each_client():
    opt = adam()

    @jax.jit
    def train(params, opt_state, xs):
        return lax.scan(lambda both, x: (made(opt)(*both, x)[:2], None), (params, opt_state), xs)[0]

    params, opt_state = PARAMS, opt.init(PARAMS)
    for _ in range(2):
        params, _ = train(params, opt_state, X)
    return params


def the_body_of_a_scan():
    opt = adam()
    step = jax.jit(made(opt))

    def body(both, x):
        params, opt_state, loss = step(*both, x)
        return (params, opt_state), loss

    both = PARAMS, opt.init(PARAMS)
    for _ in range(2):
        both, losses = lax.scan(body, both, X)
    return both, losses


def a_line_search():
    @jax.jit
    def moved(params, direction, size):
        new = jax.tree.map(lambda p, d: p - size * d, params, direction)
        return new, jax.grad(loss_of)(new, X[0])

    params, size = PARAMS, 1.0
    direction = jax.grad(loss_of)(params, X[0])
    for _ in range(4):
        new, _ = moved(params, direction, size)
        if loss_of(new, X[0]) < loss_of(params, X[0]):
            break
        size *= 0.5
    return new


def several_steps_of_each_task():
    opt = adam()

    @jax.jit
    def adapt(params, opt_state, x):
        for _ in range(2):
            grads = jax.grad(loss_of)(params, x)
            updates, opt_state = opt.update(grads, opt_state)
            params = apply(params, updates)
        return params, opt_state

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _ = adapt(params, opt_state, x)
    return params
