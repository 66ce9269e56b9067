"""Draws with numbers that are no probabilities, in our own words.

After https://github.com/google/flax/issues/5497 (rates that are negative or NaN), https://github.com/google/flax/issues/2543
(rates that are not below 1), an example of JAX whose pictures are drawn with softplus of the logits
(https://github.com/jax-ml/jax/blob/main/examples/mnist_vae.py), rates in percent, schedules that go too far, and
weights of a choice that are logits.

Sound ones: draws with probabilities, and with numbers beside them that mean the same, in our own words.

After dropout with rates 0 and 1 (https://github.com/google/flax/pull/2055), the acceptance of Metropolis as BlackJAX,
NumPyro and many scripts have it, weights that need not sum to 1 (as jax.random.choice says), and logits in categorical.
"""

import jax
import jax.numpy as jnp
from jax import lax, random

KEY = random.key(0)
X = jnp.linspace(-2.0, 3.0, 6)


def dropout(key, x, rate):
    keep = random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x, 0.0)


# -- programs -------------------------------------------------------------------------------------


def above_1():
    return random.bernoulli(KEY, 1.5, (3,))  # bug: not-a-probability


def infinite():
    return random.bernoulli(KEY, jnp.float32(jnp.inf), (3,))  # bug: not-a-probability


def logits():
    return random.bernoulli(KEY, X)  # bug: not-a-probability


def a_constant_in_jit():
    return jax.jit(lambda x: x * random.bernoulli(KEY, 1.25, x.shape))(X)  # bug: not-a-probability


def in_vmap():
    return jax.vmap(lambda p: random.bernoulli(KEY, p))(X)  # bug: not-a-probability


def in_jit_of_vmap():
    draw = jax.jit(jax.vmap(lambda key, p: random.bernoulli(key, p)))  # bug: not-a-probability
    return draw(random.split(KEY, 6), X)


def a_schedule_that_goes_too_far():
    def step(total, number):
        draw = random.bernoulli(random.fold_in(KEY, number), 0.1 * number)  # bug: not-a-probability
        return total + draw, None

    return lax.scan(step, 0, jnp.arange(20))[0]


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


def weights_for_each_row():
    rows = jnp.stack([X, X + 1.0])
    keys = random.split(KEY, 2)
    return jax.vmap(lambda key, p: random.choice(key, 6, p=p))(keys, rows)  # bug: not-a-probability


def one_of_many():
    p = jnp.full(1000, 0.3).at[17].set(1.3)
    return random.bernoulli(KEY, p)  # bug: not-a-probability


# -- sound ----------------------------------------------------------------------------------------


def by_rounding_of_16_bits():
    return random.bernoulli(KEY, jnp.bfloat16(1.0078125), (3,))


def the_ratio_of_metropolis():
    return random.bernoulli(KEY, jnp.exp(X))


def the_ratio_of_metropolis_in_a_scan():
    def step(state, key):
        proposed = state + random.normal(key)
        accept = random.bernoulli(random.fold_in(key, 1), jnp.exp(state**2 - proposed**2))
        return jnp.where(accept, proposed, state), accept

    return lax.scan(step, 3.0, random.split(KEY, 8))


def weights_of_0_without_replacement():
    return random.choice(KEY, 3, (2,), replace=False, p=jnp.array([0.0, 1.0, 3.0]))


def no_weights():
    return random.choice(KEY, 5, (3,)), random.choice(KEY, X, (3,), replace=False)


def sums_of_negative_numbers():
    return jnp.cumsum(X), jax.jit(jnp.cumsum)(-X)


def a_branch_that_is_not_taken():
    return jax.jit(lambda x: lax.cond(x[0] > 0, lambda x: x * random.bernoulli(KEY, x), lambda x: x, x))(X)


def only_where_it_is_one():
    def draw(x):
        valid = (x >= 0) & (x <= 1)
        return jnp.where(valid, random.bernoulli(KEY, x), False)

    return jax.jit(draw)(X)


def other_draws():
    return random.poisson(KEY, 4.0, (3,)), random.geometric(KEY, 0.3, (3,)), random.rademacher(KEY, (3,))


# -- fixed ----------------------------------------------------------------------------------------


def percentage():
    # fixed "keep = jax.random.bernoulli(jax.random.key(0), 0.8, (5,))"
    keep = jax.random.bernoulli(jax.random.key(0), 80.0, (5,))  # bug: not-a-probability
    return jnp.where(keep, 1.0, 0.0)


@jax.jit
def softplus(key, logits):
    # given jax.random.key(0), jnp.linspace(-2.0, 2.0, 6)
    # fixed "p = jax.nn.sigmoid(logits)"
    p = jax.nn.softplus(logits)
    return jax.random.bernoulli(key, p)  # bug: not-a-probability


def dropout_with_a_rate():
    # in full
    rate = 0.2
    keep = jax.random.bernoulli(jax.random.key(0), 1.0 - rate, (5,))
    return jnp.where(keep, 1.0 / (1.0 - rate), 0.0)
