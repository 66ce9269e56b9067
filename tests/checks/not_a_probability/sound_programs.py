"""Draws with probabilities, and with numbers beside them that mean the same, in our own words.

After dropout with rates 0 and 1 (https://github.com/google/flax/pull/2055), the acceptance of Metropolis as BlackJAX,
NumPyro and many scripts have it, weights that need not sum to 1 (as jax.random.choice says), and logits in categorical.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

KEY = random.key(0)
X = jnp.linspace(-2.0, 3.0, 6)


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


def weights_of_numpy():
    return random.choice(KEY, 3, (4,), p=np.array([0.2, 0.3, 0.5]))


def sums_of_negative_numbers():
    return jnp.cumsum(X), jax.jit(jnp.cumsum)(-X)


def in_vmap():
    return jax.vmap(lambda p: random.bernoulli(KEY, p))(jnp.linspace(0.0, 1.0, 5))


def a_branch_that_is_not_taken():
    return jax.jit(lambda x: lax.cond(x[0] > 0, lambda x: x * random.bernoulli(KEY, x), lambda x: x, x))(X)


def only_where_it_is_one():
    def draw(x):
        valid = (x >= 0) & (x <= 1)
        return jnp.where(valid, random.bernoulli(KEY, x), False)

    return jax.jit(draw)(X)


def other_draws():
    return random.poisson(KEY, 4.0, (3,)), random.geometric(KEY, 0.3, (3,)), random.rademacher(KEY, (3,))
