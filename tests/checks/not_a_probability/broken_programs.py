"""Draws with numbers that are no probabilities, in our own words.

After https://github.com/google/flax/issues/5497 (rates that are negative or NaN), https://github.com/google/flax/issues/2543
(rates that are not below 1), an example of JAX whose pictures are drawn with softplus of the logits
(https://github.com/jax-ml/jax/blob/main/examples/mnist_vae.py), rates in percent, schedules that go too far, and
weights of a choice that are logits.
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax, random

KEY = random.key(0)
X = jnp.linspace(-2.0, 3.0, 6)


def dropout(key, x, rate):
    keep = random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x, 0.0)


def above_1():
    return random.bernoulli(KEY, 1.5, (3,))  # bug: not-a-probability


def below_0():
    return random.bernoulli(KEY, -0.1, (3,))  # bug: not-a-probability


def a_percentage():
    return random.bernoulli(KEY, 30.0, (3,))  # bug: not-a-probability


def by_name():
    return random.bernoulli(key=KEY, p=2.0, shape=(3,))  # bug: not-a-probability


def not_a_number():
    return random.bernoulli(KEY, float("nan"), (3,))  # bug: not-a-probability


def infinite():
    return random.bernoulli(KEY, jnp.float32(jnp.inf), (3,))  # bug: not-a-probability


def logits():
    return random.bernoulli(KEY, X)  # bug: not-a-probability


def softplus_of_logits():
    return random.bernoulli(KEY, jax.nn.softplus(X))  # bug: not-a-probability


def softplus_by_hand():
    return random.bernoulli(KEY, jnp.logaddexp(0.0, X))  # bug: not-a-probability


def tanh():
    return random.bernoulli(KEY, jnp.tanh(X))  # bug: not-a-probability


def relu():
    return random.bernoulli(KEY, jax.nn.relu(X))  # bug: not-a-probability


def standardized():
    p = (X - X.mean()) / X.std()
    return random.bernoulli(KEY, p)  # bug: not-a-probability


def a_noisy_probability():
    p = 0.9 + 0.5 * random.normal(random.key(3), (20,))
    return random.bernoulli(KEY, p)  # bug: not-a-probability


def a_rate_above_1():
    keep = random.bernoulli(KEY, 1.0 - 1.2, X.shape)  # bug: not-a-probability
    return jnp.where(keep, X, 0.0)


def a_negative_rate():
    rate = -0.2
    keep = random.bernoulli(KEY, 1.0 - rate, X.shape)  # bug: not-a-probability
    return X * keep


def a_rate_in_percent_in_a_layer():
    def layer(x, rate):
        keep = random.bernoulli(KEY, 1 - rate / 1.0, x.shape)  # bug: not-a-probability
        return jnp.where(keep, x, 0.0)

    return layer(X, 20)


def in_jit():
    @jax.jit
    def draw(x):
        return random.bernoulli(KEY, jax.nn.softplus(x))  # bug: not-a-probability

    return draw(X)


def a_rate_of_a_jitted_function():
    @functools.partial(jax.jit, static_argnames="rate")
    def dropped(x, rate):
        keep = random.bernoulli(KEY, 1.0 - rate, x.shape)  # bug: not-a-probability
        return jnp.where(keep, x, 0.0)

    return dropped(X, rate=50.0)


def a_traced_rate():
    @jax.jit
    def dropped(x, rate):
        return jnp.where(random.bernoulli(KEY, 1.0 - rate, x.shape), x, 0.0)  # bug: not-a-probability

    return dropped(X, 5.0)


def a_constant_in_jit():
    return jax.jit(lambda x: x * random.bernoulli(KEY, 1.25, x.shape))(X)  # bug: not-a-probability


def in_vmap():
    return jax.vmap(lambda p: random.bernoulli(KEY, p))(X)  # bug: not-a-probability


def in_vmap_of_keys():
    keys = random.split(KEY, 6)
    return jax.vmap(lambda key, p: random.bernoulli(key, p, (2,)))(keys, X)  # bug: not-a-probability


def in_jit_of_vmap():
    draw = jax.jit(jax.vmap(lambda key, p: random.bernoulli(key, p)))  # bug: not-a-probability
    return draw(random.split(KEY, 6), X)


def in_a_gradient():
    def loss(w):
        keep = random.bernoulli(KEY, 1.4, w.shape)  # bug: not-a-probability
        return jnp.sum(jnp.where(keep, w, 0.0))

    return jax.grad(loss)(X)


def in_a_jitted_gradient():
    def loss(w, rate):
        keep = random.bernoulli(KEY, 1.0 - rate, w.shape)  # bug: not-a-probability
        return jnp.sum(jnp.where(keep, w, 0.0))

    return jax.jit(jax.grad(loss))(X, 3.0)


def a_schedule_that_goes_too_far():
    def step(total, number):
        draw = random.bernoulli(random.fold_in(KEY, number), 0.1 * number)  # bug: not-a-probability
        return total + draw, None

    return lax.scan(step, 0, jnp.arange(20))[0]


def a_loop_that_goes_too_far():
    def body(number, total):
        p = 1.0 - number / 5.0
        return total + random.bernoulli(random.fold_in(KEY, number), p)  # bug: not-a-probability

    return lax.fori_loop(0, 10, body, 0)


def in_a_while_loop():
    def body(state):
        p, count, total = state
        draw = random.bernoulli(random.fold_in(KEY, count), p)  # bug: not-a-probability
        return p + 0.4, count + 1, total + draw

    return lax.while_loop(lambda state: state[1] < 5, body, (0.1, 0, 0))


def in_a_branch():
    def noisy(x):
        return x * random.bernoulli(KEY, x, x.shape)  # bug: not-a-probability

    return jax.jit(lambda x: lax.cond(x[0] < 0, noisy, lambda x: x, x))(X)


def an_infection():
    contacts, rate = jnp.array([1.0, 4.0, 12.0]), 0.2
    return random.bernoulli(KEY, contacts * rate)  # bug: not-a-probability


def a_mask_of_pixels():
    pixels = jnp.array([[0.0, 128.0], [255.0, 64.0]])
    return random.bernoulli(KEY, pixels)  # bug: not-a-probability


def with_more_bits():
    return random.bernoulli(KEY, 1.1, (3,), mode="high")  # bug: not-a-probability


def of_16_bits():
    return random.bernoulli(KEY, jnp.bfloat16(1.5), (3,))  # bug: not-a-probability


def a_negative_weight():
    return random.choice(KEY, 3, (4,), p=jnp.array([0.5, -0.2, 0.7]))  # bug: not-a-probability


def logits_as_weights():
    return random.choice(KEY, jnp.arange(6), (4,), p=X)  # bug: not-a-probability


def logarithms_as_weights():
    weights = jax.nn.log_softmax(X)
    return random.choice(KEY, 6, (4,), p=weights)  # bug: not-a-probability


def a_weight_that_is_not_a_number():
    return random.choice(KEY, 3, (4,), p=jnp.array([0.5, jnp.nan, 0.5]))  # bug: not-a-probability


def weights_in_jit():
    @jax.jit
    def pick(weights):
        return random.choice(KEY, 6, (8,), p=weights - 1.0)  # bug: not-a-probability

    return pick(X)


def a_priority_in_jit():
    def pick(error):
        return random.choice(KEY, 6, (3,), replace=False, p=error)  # bug: not-a-probability

    return jax.jit(pick)(X)


def weights_for_each_row():
    rows = jnp.stack([X, X + 1.0])
    keys = random.split(KEY, 2)
    return jax.vmap(lambda key, p: random.choice(key, 6, p=p))(keys, rows)  # bug: not-a-probability


def one_of_many():
    p = jnp.full(1000, 0.3).at[17].set(1.3)
    return random.bernoulli(KEY, p)  # bug: not-a-probability


def again_and_again():
    draws = []
    for epoch in range(4):
        draws.append(random.bernoulli(random.fold_in(KEY, epoch), 0.4 * epoch, (2,)))  # bug: not-a-probability
    return draws
