"""Training loops that carry their states, and loops that begin from the same one on purpose; in our own words.

The first ones are those of ``broken_programs.py`` as the examples of Optax, Flax, Haiku and Equinox have them. The
others are evaluation, recurrent networks, samplers, environments, searches, averages and references.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tests.checks.state_not_carried.broken_programs import (
    KEY,
    PARAMS,
    STATS,
    Empty,
    Optimizer,
    X,
    adam,
    apply,
    chain,
    clip,
    evaluated,
    loss_of,
    made,
    momentum,
    normalized,
    predict,
    zeros,
)


def a_carried_state():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, opt_state, loss = step(params, opt_state, x)
    return params, loss


def carried_by_other_names():
    opt = momentum()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        new_params, new_state, loss = step(params, opt_state, x)
        params, opt_state = new_params, new_state
    return params, loss


def carried_by_indices():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        out = step(params, opt_state, x)
        params, opt_state = out[:2]
    return params


def carried_in_attributes():
    class Trainer:
        def __init__(self, opt):
            self.params, self.opt_state = PARAMS, opt.init(PARAMS)
            self._step = jax.jit(made(opt))

        def step(self, x):
            self.params, state, _ = self._step(self.params, self.opt_state, x)
            self.keep(state)

        def keep(self, state):
            self.opt_state = state

    trainer = Trainer(adam())
    for x in X:
        trainer.step(x)
    return trainer.params


def carried_in_a_dictionary():
    opt = adam()
    step = jax.jit(made(opt))
    train = {"params": PARAMS, "opt": opt.init(PARAMS)}
    for x in X:
        train["params"], train["opt"], _ = step(train["params"], train["opt"], x)
    return train


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


def one_state_for_all():
    class TrainState(NamedTuple):
        params: Any
        opt_state: Any

    opt = adam()

    @jax.jit
    def step(state, x):
        params, opt_state, loss = made(opt)(*state, x)
        return TrainState(params, opt_state), loss

    state = TrainState(PARAMS, opt.init(PARAMS))
    for x in X:
        state, _ = step(state, x)
    return state


def a_finite_loss_decides():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        new_params, new_state, loss = step(params, opt_state, x)
        if jnp.isfinite(loss):
            params, opt_state = new_params, new_state
    return params


def an_optimizer_without_a_state():
    sgd = Optimizer(
        lambda params: Empty(),
        lambda grads, state, params=None: (jax.tree.map(lambda g: -0.1 * g, grads), state),
    )
    step = jax.jit(made(sgd))
    params, opt_state = PARAMS, sgd.init(PARAMS)
    for x in X:
        params, _, loss = step(params, opt_state, x)
    return params, loss


def a_chain_without_a_state():
    opt = chain(clip(1.0), clip(0.1))
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, _ = step(params, opt_state, x)
    return params


def a_state_that_passes_through():
    @jax.jit
    def step(params, scales, x):
        grads = jax.grad(loss_of)(params, x)
        return jax.tree.map(lambda p, s, g: p - s * g, params, scales["rates"], grads), scales

    params, scales = PARAMS, {"rates": PARAMS, "n": jnp.int32(3)}
    for x in X:
        params, _ = step(params, scales, x)
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


def evaluation_with_a_training_step():
    opt = adam()
    step = jax.jit(made(opt))
    opt_state, losses = opt.init(PARAMS), []
    for x in X:
        _, _, loss = step(PARAMS, opt_state, x)
        losses.append(loss)
    return losses


def evaluation_between_steps():
    opt = adam()
    step = jax.jit(made(opt))
    test = jax.jit(lambda params, stats, x: normalized(params, stats, x))
    params, opt_state, total = PARAMS, opt.init(PARAMS), 0.0
    for x in X:
        params, opt_state, _ = step(params, opt_state, x)
        y, _ = test(params, STATS, x)
        total += jnp.mean(y)
    return params, total, STATS


def a_sweep_of_rates_from_one_point():
    @jax.jit
    def step(params, state, rate):
        grads = jax.grad(loss_of)(params, X[0])
        trace = jax.tree.map(lambda t, g: 0.9 * t + g, state, grads)
        return jax.tree.map(lambda p, t: p - rate * t, params, trace), trace

    state, best = zeros(PARAMS), {}
    for rate in (0.1, 0.01):
        params, _ = step(PARAMS, state, rate)
        best[rate] = loss_of(params, X[1])
    return best


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


def a_small_recurrent_network():
    @jax.jit
    def step(w, h, x):
        def loss(w):
            new = jnp.tanh(w * h + x)
            return jnp.sum(new**2), new

        grad, h = jax.grad(loss, has_aux=True)(w)
        return w - 0.1 * grad, h

    w, h = jnp.ones(3), jnp.full(3, 0.5)
    for x in X[:, 0]:
        w, _ = step(w, h, x)
    return w


def an_anchor_and_gradients():
    @jax.jit
    def step(params, anchor, x):
        def loss(params):
            pull = jax.tree.map(lambda p, a: jnp.sum((p - a) ** 2), params, anchor)
            return loss_of(params, x) + sum(jax.tree.leaves(pull))

        grads = jax.grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), grads

    params, anchor = PARAMS, zeros(PARAMS)
    for x in X:
        params, _ = step(params, anchor, x)
    return params


def a_fisher_penalty():
    opt = adam()

    @jax.jit
    def step(params, opt_state, old, x):
        def loss(params):
            pull = jax.tree.map(lambda p, m, f: jnp.sum(f * (p - m) ** 2), params, old["mean"], old["fisher"])
            return loss_of(params, x) + sum(jax.tree.leaves(pull))

        grads = jax.grad(loss)(params)
        updates, opt_state = opt.update(grads, opt_state)
        return apply(params, updates), opt_state

    params, opt_state = PARAMS, opt.init(PARAMS)
    old = {"mean": PARAMS, "fisher": zeros(PARAMS)}
    for x in X:
        params, opt_state = step(params, opt_state, old, x)
    return params


def a_target_network():
    opt = adam()

    @jax.jit
    def step(params, target, opt_state, x):
        grads = jax.grad(lambda p: jnp.mean((predict(p, x) - predict(target, x) - 1.0) ** 2))(params)
        updates, opt_state = opt.update(grads, opt_state)
        params = apply(params, updates)
        return params, jax.tree.map(lambda t, p: 0.9 * t + 0.1 * p, target, params), opt_state

    params, target, opt_state = PARAMS, PARAMS, opt.init(PARAMS)
    for n, x in enumerate(X):
        params, moved, opt_state = step(params, target, opt_state, x)
        if n % 2:
            target = moved
    return params


def a_target_that_is_copied_now_and_then():
    opt = adam()

    @jax.jit
    def step(params, target, opt_state, x):
        grads = jax.grad(lambda p: jnp.mean((predict(p, x) - predict(target, x) - 1.0) ** 2))(params)
        updates, opt_state = opt.update(grads, opt_state)
        return apply(params, updates), opt_state

    params, target, opt_state = PARAMS, PARAMS, opt.init(PARAMS)
    for n, x in enumerate(X):
        params, opt_state = step(params, target, opt_state, x)
        if n % 2:
            target = params
    return params


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


def each_task_begins_anew():
    opt = adam()
    step = jax.jit(made(opt))
    params, fresh_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, _ = step(params, fresh_state, x)
    return params


def restarts():
    opt = adam()
    step = jax.jit(made(opt))
    params = PARAMS
    for x in X:
        opt_state = opt.init(params)
        params, _, _ = step(params, opt_state, x)
    return params


def clients_of_one_server():
    opt = adam()
    step = jax.jit(made(opt))
    server, opt_state = PARAMS, opt.init(PARAMS)
    for _ in range(2):
        found = []
        for x in X:
            client, _, _ = step(server, opt_state, x)
            found.append(client)
        server = jax.tree.map(lambda *several: sum(several) / len(several), *found)
    return server


def warm_up():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for _ in range(2):
        params, _, _ = step(params, opt_state, X[0])
    for x in X:
        params, opt_state, loss = step(params, opt_state, x)
    return params, loss


def a_loop_that_runs_once():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, opt_state, x)
        break
    for _ in range(1):
        params, _, loss = step(params, opt_state, X[0])
    return params, loss


def a_step_after_a_loop():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for _ in range(3):
        pass
    params, _, loss = step(params, opt_state, X[0])
    return params, loss


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


def the_body_of_a_while_loop():
    opt = adam()
    step = jax.jit(made(opt))
    both = PARAMS, opt.init(PARAMS)
    for most in range(2, 4):
        both = lax.while_loop(lambda both, most=most: both[1].count < most, lambda both: step(*both, X[0])[:2], both)
    return both


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


def an_environment_that_is_reset():
    class World(NamedTuple):
        place: Any
        time: Any

    @jax.jit
    def step(params, world, x):
        place = world.place + predict(params, x)[0]
        grads = jax.grad(lambda p: jnp.sum((world.place + predict(p, x)[0]) ** 2))(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), World(place, world.time + 1)

    params, reset = PARAMS, World(jnp.zeros(2), jnp.int32(0))
    for x in X:
        params, _ = step(params, reset, x)
    return params, reset


def a_key_that_comes_back():
    opt = adam()

    @jax.jit
    def step(params, opt_state, key, x):
        key, subkey = jax.random.split(key)
        return (*made(opt)(params, opt_state, x + 0.1 * jax.random.normal(subkey, x.shape))[:2], key)

    params, opt_state = PARAMS, opt.init(PARAMS)
    for n, x in enumerate(X):
        params, opt_state, _ = step(params, opt_state, jax.random.fold_in(KEY, n), x)
    return params


def a_count_that_nobody_needs():
    opt = adam()

    @jax.jit
    def step(params, opt_state, total, x):
        params, opt_state, loss = made(opt)(params, opt_state, x)
        return params, opt_state, {"loss": total["loss"] + loss}

    params, opt_state, total = PARAMS, opt.init(PARAMS), {"loss": jnp.zeros(())}
    for x in X:
        params, opt_state, _ = step(params, opt_state, total, x)
    return params, total


def statistics_that_are_never_used():
    @jax.jit
    def step(params, stats, x):
        def loss(params):
            y, new = normalized(params, stats, x)
            return jnp.mean(y**2), new

        grads, new = jax.grad(loss, has_aux=True)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), new

    params, stats = PARAMS, STATS
    for x in X:
        params, _ = step(params, stats, x)
    return params


def frozen_statistics():
    @jax.jit
    def step(params, stats, x):
        grads = jax.grad(lambda p: jnp.mean(evaluated(p, stats, x) ** 2))(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), stats

    params, stats = PARAMS, STATS
    for x in X:
        params, _ = step(params, stats, x)
    return evaluated(params, stats, X[0])


def a_step_that_only_looks_ahead():
    opt = adam()

    @jax.jit
    def ahead(params, opt_state, x):
        grads = jax.grad(loss_of)(params, x)
        updates, _ = opt.update(grads, opt_state, params)
        return loss_of(apply(params, updates), x)

    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        later = ahead(params, opt_state, x)
        params, opt_state, _ = step(params, opt_state, x)
    return later


def a_state_in_a_closure():
    opt = adam()
    kept = []

    def step(params, opt_state, x):
        params, opt_state, _ = compiled(params, kept[-1] if kept else opt_state, x)
        kept.append(opt_state)
        return params

    compiled = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params = step(params, opt_state, x)
    return params


def a_state_of_numpy_outside_of_jax():
    step = jax.jit(lambda params, x: jax.grad(loss_of)(params, x))
    params, velocity = PARAMS, jax.tree.map(np.zeros_like, PARAMS)
    for x in X:
        grads = step(params, x)
        for name in velocity:
            velocity[name] = 0.9 * velocity[name] + np.asarray(grads[name])
        params = jax.tree.map(lambda p, v: p - 0.1 * v, params, velocity)
    return params


def a_partial_with_fixed_arguments():
    @jax.jit
    def step(config, params, x):
        grads = jax.grad(loss_of)(params, x)
        return jax.tree.map(lambda p, c, g: p - c * g, params, config["rates"], grads), grads

    once = functools.partial(step, {"rates": PARAMS, "n": 1})
    params = PARAMS
    for x in X:
        params, _ = once(params, x)
    return params


def adaptation_from_one_point():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state, adapted = PARAMS, opt.init(PARAMS), []
    for x in X:
        fast = params
        fast, _, _ = step(fast, opt_state, x)
        adapted.append(fast)
    return adapted


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


def one_step_of_each_of_several_models():
    class Model:
        def __init__(self, opt, compiled):
            self.params, self.opt_state = PARAMS, opt.init(PARAMS)
            self.compiled = compiled

        def step(self, x):
            self.params, _, loss = self.compiled(self.params, self.opt_state, x)
            return loss

    opt = adam()
    compiled = jax.jit(made(opt))
    models = [Model(opt, compiled) for _ in X]
    for model, x in zip(models, X, strict=True):
        model.step(x)
    return models


def one_step_of_each_of_several_records():
    class Record:
        def __init__(self, opt):
            self.params, self.opt_state = PARAMS, opt.init(PARAMS)

    def step(record, x):
        record.params, _, loss = compiled(record.params, record.opt_state, x)
        return loss

    opt = adam()
    compiled = jax.jit(made(opt))
    records = [Record(opt) for _ in X]
    for record, x in zip(records, X, strict=True):
        step(record, x)
    return records
