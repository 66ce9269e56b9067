"""Training loops that begin each iteration with the first state again; in our own words.

Training loops as people write them with Optax, Flax, Haiku and Equinox, where the state is carried; here it is not.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

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


def a_name_that_nothing_reads():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, new_state, _ = step(params, opt_state, x)  # warning: state-not-carried
    return params


def a_misspelled_name():
    opt = momentum()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, optstate, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, opt_state, loss


def a_name_that_is_read_after_the_loop():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, last_state, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, last_state, loss


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


def an_index_inside_a_tuple():
    opt = adam()

    @jax.jit
    def step(params, opt_state, x):
        params, opt_state, loss = made(opt)(params, opt_state, x)
        return (params, opt_state), loss

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        out, loss = step(params, opt_state, x)  # warning: state-not-carried
        params = out[0]
    return params, loss


def two_levels_of_unpacking():
    opt = adam()

    @jax.jit
    def step(params, opt_state, x):
        params, opt_state, loss = made(opt)(params, opt_state, x)
        return loss, (params, opt_state)

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        _, (params, _) = step(params, opt_state, x)  # warning: state-not-carried
    return params


def another_name_first():
    opt = momentum()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        new_params, new_opt_state, loss = step(params, opt_state, x)  # warning: state-not-carried
        if jnp.isfinite(loss):
            params = new_params
    return params


def two_names_of_which_one_is_carried():
    opt = adam()
    step = jax.jit(made(opt))
    w, state = PARAMS, opt.init(PARAMS)
    losses = []
    for x in X:
        w_new, state_new, loss = step(w, state, x)  # warning: state-not-carried
        losses.append(loss)
        w = w_new
    return w, losses


def epochs_and_batches():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for _ in range(2):
        for x in X:
            params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def anew_in_each_epoch():
    opt = momentum()
    step = jax.jit(made(opt))
    params = PARAMS
    for _ in range(2):
        opt_state = opt.init(params)
        for x in X:
            params, _, _ = step(params, opt_state, x)  # warning: state-not-carried
    return params


def a_while_loop():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state, n = PARAMS, opt.init(PARAMS), 0
    while n < 3:
        params, _, loss = step(params, opt_state, X[n])  # warning: state-not-carried
        n += 1
    return params, loss


def until_it_has_converged():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state, n = PARAMS, opt.init(PARAMS), 0
    while True:
        params, _, loss = step(params, opt_state, X[n])  # warning: state-not-carried
        n += 1
        if loss < 1e-3 or n == 3:
            break
    return params


def a_decorated_step():
    opt = adam()

    @functools.partial(jax.jit, donate_argnums=0)
    def train_step(params, opt_state, batch):
        grads = jax.grad(loss_of)(params, batch)
        updates, opt_state = opt.update(grads, opt_state, params)
        return apply(params, updates), opt_state

    params, opt_state = jax.tree.map(jnp.copy, PARAMS), opt.init(PARAMS)
    for batch in X:
        params, _ = train_step(params, opt_state, batch)  # warning: state-not-carried
    return params


def keyword_arguments():
    opt = momentum()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, x=x, opt_state=opt_state)  # warning: state-not-carried
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


def a_partial_function():
    opt = adam()

    @jax.jit
    def step(rate, params, opt_state, x):
        new, state, loss = made(opt)(params, opt_state, x)
        return jax.tree.map(lambda p, q: p + rate * (q - p), params, new), state, loss

    half = functools.partial(step, 0.5)
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = half(params, opt_state, x)  # warning: state-not-carried
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


def a_lambda_around_it():
    opt = adam()
    compiled = jax.jit(made(opt))
    step = lambda x, params, state: compiled(params, state, x)  # noqa: E731
    params, state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(x, params, state)  # warning: state-not-carried
    return params, loss


def a_call_before_the_loop_that_compiles():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    jax.block_until_ready(step(params, opt_state, X[0]))
    for x in X:
        params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def waiting_for_it():
    opt = adam()
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = jax.block_until_ready(step(params, opt_state, x))  # warning: state-not-carried
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


def a_static_self():
    class Model:
        def __init__(self):
            self.opt = adam()

        @functools.partial(jax.jit, static_argnums=0)
        def step(self, params, opt_state, x):
            return made(self.opt)(params, opt_state, x)

    model = Model()
    params, opt_state = PARAMS, model.opt.init(PARAMS)
    for x in X:
        params, _, loss = model.step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def a_chain_of_transformations():
    opt = chain(clip(1.0), adam())
    step = jax.jit(made(opt))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def a_dictionary_of_states():
    @jax.jit
    def step(params, state, x):
        grads = jax.grad(loss_of)(params, x)
        velocity = jax.tree.map(lambda v, g: 0.9 * v - 0.1 * g, state["velocity"], grads)
        return apply(params, velocity), {"velocity": velocity, "steps": state["steps"] + 1}

    params, state = PARAMS, {"velocity": zeros(PARAMS), "steps": jnp.int32(0)}
    for x in X:
        params, _ = step(params, state, x)  # warning: state-not-carried
    return params


def a_part_of_a_dictionary():
    opt = adam()
    step = jax.jit(made(opt))
    train = {"params": PARAMS, "opt": opt.init(PARAMS)}
    for x in X:
        train["params"], _, loss = step(train["params"], train["opt"], x)  # warning: state-not-carried
    return train, loss


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


def squares_of_adagrad():
    @jax.jit
    def step(w, squares, x):
        grad = jax.grad(lambda w: jnp.sum((x @ w - 1.0) ** 2))(w)
        new_squares = squares + grad**2
        return w - 0.1 * grad / jnp.sqrt(new_squares + 1e-8), new_squares

    w, squares = jnp.ones(3), jnp.zeros(3)
    for x in X:
        w, _ = step(w, squares, x)  # warning: state-not-carried
    return w


def the_sign_of_a_momentum():
    @jax.jit
    def step(params, state, x):
        count, m = state
        grads = jax.grad(loss_of)(params, x)
        params = jax.tree.map(lambda p, m, g: p - 0.01 * jnp.sign(0.9 * m + 0.1 * g), params, m, grads)
        return params, (count + 1, jax.tree.map(lambda m, g: 0.99 * m + 0.01 * g, m, grads))

    params, state = PARAMS, (jnp.int32(0), zeros(PARAMS))
    for x in X:
        params, _ = step(params, state, x)  # warning: state-not-carried
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


def a_result_in_a_dictionary():
    opt = momentum()

    @jax.jit
    def step(params, opt_state, x):
        params, opt_state, loss = made(opt)(params, opt_state, x)
        return {"params": params, "opt_state": opt_state, "loss": loss}

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params = step(params, opt_state, x)["params"]  # warning: state-not-carried
    return params


def statistics_of_batches():
    @jax.jit
    def step(params, batch_stats, x):
        def loss(params):
            y, new = normalized(params, batch_stats, x)
            return jnp.mean(y**2), new

        grads, new_stats = jax.grad(loss, has_aux=True)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), new_stats

    params, batch_stats = PARAMS, STATS
    for x in X:
        params, _ = step(params, batch_stats, x)  # warning: state-not-carried
    return evaluated(params, batch_stats, X[0])


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


def an_optimizer_next_to_statistics():
    opt = adam()

    @jax.jit
    def train_step(params, opt_state, stats, x):
        def loss(params):
            y, new = normalized(params, stats, x)
            return jnp.mean((y - 1.0) ** 2), new

        grads, stats = jax.grad(loss, has_aux=True)(params)
        updates, opt_state = opt.update(grads, opt_state, params)
        return apply(params, updates), opt_state, stats

    params, opt_state, stats = PARAMS, opt.init(PARAMS), STATS
    for x in X:
        params, _, stats = train_step(params, opt_state, stats, x)  # warning: state-not-carried
    return evaluated(params, stats, X[1])


def statistics_that_are_tested_in_each_epoch():
    @jax.jit
    def step(params, state, x):
        y, pullback, new = jax.vjp(lambda params: normalized(params, state["norm"], x), params, has_aux=True)
        (grads,) = pullback(y)
        return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), {"norm": new}

    params, state, scores = PARAMS, {"norm": STATS}, []
    for _ in range(2):
        for x in X:
            params, new_state = step(params, state, x)  # warning: state-not-carried
        scores.append(evaluated(params, state["norm"], X[0]))
    return scores


def an_average_of_the_parameters():
    opt = adam()

    @jax.jit
    def step(params, opt_state, ema, x):
        params, opt_state, loss = made(opt)(params, opt_state, x)
        ema = jax.tree.map(lambda e, p: 0.99 * e + 0.01 * p, ema, params)
        return params, opt_state, ema, loss

    params, opt_state, ema = PARAMS, opt.init(PARAMS), PARAMS
    for x in X:
        params, opt_state, _, loss = step(params, opt_state, ema, x)  # warning: state-not-carried
    return predict(ema, X[0]), loss


def a_generator_and_a_critic():
    opt = adam()

    @jax.jit
    def step(generator, critic, generator_state, critic_state, x):
        grads = jax.grad(lambda g, c: loss_of(g, x) - loss_of(c, x), argnums=(0, 1))(generator, critic)
        up, generator_state = opt.update(grads[0], generator_state)
        down, critic_state = opt.update(grads[1], critic_state)
        return apply(generator, up), apply(critic, down), generator_state, critic_state

    g, c = PARAMS, jax.tree.map(lambda p: 2 * p, PARAMS)
    g_state, c_state = opt.init(g), opt.init(c)
    for x in X:
        # The two states look alike, so that only their names tell which one is dropped.
        g, c, g_state, _ = step(g, c, g_state, c_state, x)  # warning: state-not-carried
    return g, c


def a_scan_over_time_inside():
    opt = adam()

    @jax.jit
    def step(params, opt_state, xs):
        def loss(params):
            h, _ = lax.scan(lambda h, x: (jnp.tanh(h + predict(params, x)), None), jnp.zeros(2), xs)
            return jnp.sum(h**2)

        grads = jax.grad(loss)(params)
        updates, opt_state = opt.update(grads, opt_state)
        return apply(params, updates), opt_state

    params, opt_state = PARAMS, opt.init(PARAMS)
    for xs in X:
        params, _ = step(params, opt_state, xs)  # warning: state-not-carried
    return params


def keys_that_are_split():
    opt = adam()

    @jax.jit
    def step(params, opt_state, key, x):
        x = x + 0.1 * jax.random.normal(key, x.shape)
        return made(opt)(params, opt_state, x)

    params, opt_state, key = PARAMS, opt.init(PARAMS), KEY
    for x in X:
        key, subkey = jax.random.split(key)
        params, _, loss = step(params, opt_state, subkey, x)  # warning: state-not-carried
    return params, loss


def a_jit_inside_a_jit():
    opt = adam()
    inner = jax.jit(made(opt))
    step = jax.jit(lambda params, opt_state, x: inner(params, opt_state, x))
    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


def an_unrolled_loop():
    opt = momentum()
    step = jax.jit(made(opt))

    @jax.jit
    def train(params, opt_state):
        for x in X:
            params, _, loss = step(params, opt_state, x)  # warning: state-not-carried
        return params, loss

    return train(PARAMS, opt.init(PARAMS))


def a_state_that_is_not_returned():
    opt = adam()

    @jax.jit
    def step(params, opt_state, x):
        grads = jax.grad(loss_of)(params, x)
        updates, opt_state = opt.update(grads, opt_state, params)
        return apply(params, updates)

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params = step(params, opt_state, x)  # warning: state-not-carried
    return params


def a_state_that_is_dropped_inside():
    opt = momentum()

    @jax.jit
    def step(params, opt_state, x):
        loss, grads = jax.value_and_grad(loss_of)(params, x)
        updates, _ = opt.update(grads, opt_state)
        return apply(params, updates), loss

    params, opt_state = PARAMS, opt.init(PARAMS)
    for x in X:
        params, loss = step(params, opt_state, x)  # warning: state-not-carried
    return params, loss


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
