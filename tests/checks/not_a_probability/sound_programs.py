"""Draws with probabilities, and with numbers beside them that mean the same, in our own words.

After dropout with rates 0 and 1 (https://github.com/google/flax/pull/2055), the acceptance of Metropolis as BlackJAX,
NumPyro and many scripts have it, weights that need not sum to 1 (as jax.random.choice says), and logits in categorical.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

KEY = random.key(0)
X = jnp.linspace(-2.0, 3.0, 6)


def a_half():
    return random.bernoulli(KEY, 0.5, (3,)), random.bernoulli(KEY)


def the_ends():
    return random.bernoulli(KEY, 0.0, (3,)), random.bernoulli(KEY, 1.0, (3,))


def dropout_of_nothing_and_of_all():
    return [jnp.where(random.bernoulli(KEY, 1.0 - rate, X.shape), X, 0.0) for rate in (0.0, 0.3, 1.0)]


def sigmoid_of_logits():
    return random.bernoulli(KEY, jax.nn.sigmoid(X))


def softmax_of_logits():
    return random.bernoulli(KEY, jax.nn.softmax(X)), random.choice(KEY, 6, (3,), p=jax.nn.softmax(X))


def logits_in_categorical():
    return random.categorical(KEY, X), jax.jit(lambda x: random.categorical(KEY, x * 10.0))(X)


def clipped():
    return random.bernoulli(KEY, jnp.clip(X, 0.0, 1.0))


def by_rounding_above_1():
    p = jnp.sum(jnp.full(10, 0.1)) + 1e-6
    return random.bernoulli(KEY, p, (3,)), random.bernoulli(KEY, -1e-7, (3,))


def by_rounding_of_16_bits():
    return random.bernoulli(KEY, jnp.bfloat16(1.0078125), (3,))


def the_ratio_of_metropolis():
    return random.bernoulli(KEY, jnp.exp(X))


def the_ratio_of_metropolis_by_a_name():
    log_ratio = X - X[0]
    ratio = jnp.exp(log_ratio)
    return random.bernoulli(KEY, ratio)


def the_ratio_of_metropolis_in_a_scan():
    def step(state, key):
        proposed = state + random.normal(key)
        accept = random.bernoulli(random.fold_in(key, 1), jnp.exp(state**2 - proposed**2))
        return jnp.where(accept, proposed, state), accept

    return lax.scan(step, 3.0, random.split(KEY, 8))


def the_ratio_of_metropolis_limited():
    return jax.jit(lambda x: random.bernoulli(KEY, jnp.minimum(1.0, jnp.exp(x))))(X)


def a_uniform_number_compared():
    return random.uniform(KEY, (6,)) < X


def weights_that_sum_to_more():
    return random.choice(KEY, 3, (4,), p=jnp.array([5.0, 2.0, 7.0]))


def weights_of_0():
    return random.choice(KEY, 3, (4,), p=jnp.array([0.0, 1.0, 0.0]))


def weights_of_0_without_replacement():
    return random.choice(KEY, 3, (2,), replace=False, p=jnp.array([0.0, 1.0, 3.0]))


def no_weights():
    return random.choice(KEY, 5, (3,)), random.choice(KEY, X, (3,), replace=False)


def weights_in_jit():
    return jax.jit(lambda p: random.choice(KEY, 6, (4,), p=p))(jnp.abs(X))


def weights_of_numpy():
    return random.choice(KEY, 3, (4,), p=np.array([0.2, 0.3, 0.5]))


def sums_of_negative_numbers():
    return jnp.cumsum(X), jax.jit(jnp.cumsum)(-X)


def a_function_called_choice():
    def choice(x):
        return jnp.cumsum(x)

    return choice(X), jax.jit(choice)(X)


def in_vmap():
    return jax.vmap(lambda p: random.bernoulli(KEY, p))(jnp.linspace(0.0, 1.0, 5))


def in_vmap_of_keys():
    return jax.vmap(lambda key: random.bernoulli(key, 0.2, (3,)))(random.split(KEY, 4))


def in_a_gradient():
    def loss(w, rate):
        keep = random.bernoulli(KEY, 1.0 - rate, w.shape)
        return jnp.sum(jnp.where(keep, w / (1.0 - rate), 0.0))

    return jax.jit(jax.grad(loss))(X, 0.5)


def a_schedule():
    def step(total, number):
        draw = random.bernoulli(random.fold_in(KEY, number), jnp.minimum(0.1 * number, 1.0))
        return total + draw, None

    return lax.scan(step, 0, jnp.arange(20))[0]


def a_loop():
    def body(number, total):
        return total + random.bernoulli(random.fold_in(KEY, number), 1.0 - number / 10.0)

    return lax.fori_loop(0, 10, body, 0)


def a_branch_that_is_not_taken():
    return jax.jit(lambda x: lax.cond(x[0] > 0, lambda x: x * random.bernoulli(KEY, x), lambda x: x, x))(X)


def a_draw_that_is_not_used():
    @jax.jit
    def step(x):
        random.bernoulli(KEY, x)
        return x + 1

    return step(X)


def only_where_it_is_one():
    def draw(x):
        valid = (x >= 0) & (x <= 1)
        return jnp.where(valid, random.bernoulli(KEY, x), False)

    return jax.jit(draw)(X)


def a_static_rate():
    @functools.partial(jax.jit, static_argnames="rate")
    def dropped(x, rate):
        return jnp.where(random.bernoulli(KEY, 1.0 - rate, x.shape), x, 0.0)

    return dropped(X, rate=0.1)


def with_more_bits():
    return random.bernoulli(KEY, 0.1, (3,), mode="high")


def of_64_bits():
    return random.bernoulli(KEY, np.float32(0.25), (3,))


def other_draws():
    return random.poisson(KEY, 4.0, (3,)), random.geometric(KEY, 0.3, (3,)), random.rademacher(KEY, (3,))


def an_empty_one():
    return random.bernoulli(KEY, jnp.zeros((0,))), random.choice(KEY, 3, (0,), p=jnp.ones(3))
