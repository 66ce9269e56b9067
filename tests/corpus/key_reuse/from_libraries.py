"""Correct patterns of the examples that libraries ship, rewritten without them: samplers, optimizers, layers, rollouts.

From the examples of blackjax 1.7, numpyro 0.22, optax 0.2, flax 0.12, dm-haiku 0.0.17, distrax 0.1, gymnax 0.0.9,
flowjax 19, jraph 0.0.6 and of JAX's own DP-SGD.
"""

import jax
import jax.numpy as jnp
from jax import lax, random

from tests.worker.lineage import a_library

X = jnp.ones((4, 3))


def log_density(x):
    return -0.5 * (x**2).sum()


def hmc_step(state, key):
    momentum_key, accept_key = random.split(key)
    proposal = state + 0.1 * random.normal(momentum_key, state.shape) + 0.1 * jax.grad(log_density)(state)
    accepts = jnp.log(random.uniform(accept_key)) < log_density(proposal) - log_density(state)
    state = jnp.where(accepts, proposal, state)
    return state, state


def dropout(x, key):
    return jnp.where(random.bernoulli(key, 0.5, x.shape), x * 2, 0)


# -- samplers ----------------------------------------------------------------------------------


def chains_next_to_each_other():
    def chain(start, key):
        return lax.scan(hmc_step, start, random.split(key, 5))[1]

    start_key, sample_key = random.split(random.key(0))
    return jax.vmap(chain)(random.normal(start_key, (4, 3)), random.split(sample_key, 4))


def all_chains_in_each_step():
    def step(states, key):
        return jax.vmap(hmc_step)(states, random.split(key, 4))

    return lax.scan(step, X, random.split(random.key(0), 5))[1]


# -- optimizers and training -------------------------------------------------------------------


def keys_as_a_tree_like_the_parameters():
    parameters = {"b": jnp.zeros(2), "w": jnp.zeros((2, 3))}
    structure = jax.tree.structure(parameters)
    keys = structure.unflatten(random.split(random.key(0), structure.num_leaves))
    return jax.tree.map(lambda leaf, key: leaf + random.normal(key, leaf.shape), parameters, keys)


def a_step_number_folded_in():
    key = random.key(0)
    step = jax.jit(lambda x, number: x + random.normal(random.fold_in(key, number), x.shape))
    return [step(X, number) for number in range(3)]


# -- layers ------------------------------------------------------------------------------------


def a_sequence_that_hands_out_keys():
    def sequence(key):
        while True:
            key, handed = random.split(key)
            yield handed

    keys = sequence(random.key(0))
    return [dropout(X, next(keys)) for _ in range(3)]


def dropout_that_is_computed_again_for_the_gradient():
    loss = jax.checkpoint(lambda w, key: dropout(w * X, key).sum())
    return jax.grad(loss)(jnp.ones(3), random.key(0))


def an_autoencoder_that_draws_once_for_the_batch():
    mean, scale = X, 0.1 * X
    return jax.grad(lambda mean: (mean + scale * random.normal(random.key(0), mean.shape)).sum())(mean)


# -- rollouts ----------------------------------------------------------------------------------


def environments_with_a_key_each():
    def episode(key):
        reset_key, key = random.split(key)

        def step(carry, _):
            state, key = carry
            key, action_key, noise_key = random.split(key, 3)
            action = random.categorical(action_key, jnp.zeros(3))
            return (state + action + random.normal(noise_key), key), state

        return lax.scan(step, (random.normal(reset_key), key), length=4)[1]

    return jax.vmap(episode)(random.split(random.key(0), 3))


def explores_or_not():
    def act(key, greedy):
        coin_key, action_key = random.split(key)  # note: unused-key
        return lax.cond(random.uniform(coin_key) < 0.1, lambda: random.randint(action_key, (), 0, 4), lambda: greedy)

    return jax.vmap(act)(random.split(random.key(0), 5), jnp.arange(5))


def a_module_that_a_scan_closes_over():
    # says "Each iteration of the loop on line L derives the same keys: give"
    # passed "a_library.applied(net, random.key(0))"
    def net(draw):
        return lax.scan(lambda x, _: (x + draw(x.shape), None), X, None, 4)[0]  # bug: key-reuse

    return a_library.applied(net, random.key(0))


def the_tree_of_keys_of_a_library():
    return a_library.Tree(random.key(0)).walked(4)  # note: key-reuse says "with its own key"


def a_tree_of_keys_of_a_library_in_each_of_two_calls():
    def walked(key):
        return a_library.Tree(key).walked(4)  # note: key-reuse says "with its own key"

    first, second = random.split(random.key(0))
    return walked(first), walked(second)


def the_tree_of_keys_of_a_library_in_each_iteration():
    tree = a_library.Tree(random.key(0))
    return [tree.walked(2) for _ in range(3)]  # bug: key-reuse
