"""Correct patterns of the examples that libraries ship, rewritten without them: samplers, optimizers, layers, rollouts.

From the examples of blackjax 1.7, numpyro 0.22, optax 0.2, flax 0.12, dm-haiku 0.0.17, distrax 0.1, gymnax 0.0.9,
flowjax 19, jraph 0.0.6 and of JAX's own DP-SGD.
"""

import itertools
import zlib
from typing import Any

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


def one_chain_in_a_scan():
    return lax.scan(hmc_step, jnp.zeros(3), random.split(random.key(0), 5))[1]


def chains_next_to_each_other():
    def chain(start, key):
        return lax.scan(hmc_step, start, random.split(key, 5))[1]

    start_key, sample_key = random.split(random.key(0))
    return jax.vmap(chain)(random.normal(start_key, (4, 3)), random.split(sample_key, 4))


def all_chains_in_each_step():
    def step(states, key):
        return jax.vmap(hmc_step)(states, random.split(key, 4))

    return lax.scan(step, X, random.split(random.key(0), 5))[1]


def a_sampler_that_stops_by_itself():
    def body(state):
        x, key, count = state
        key, step_key = random.split(key)
        return hmc_step(x, step_key)[0], key, count + 1

    x, _, count = lax.while_loop(lambda state: state[2] < 5, body, (jnp.zeros(3), random.key(0), 0))
    return x, count


def gibbs_with_a_key_for_each_block():
    def step(state: dict[str, Any], key):
        keys = dict(zip(state, random.split(key, len(state)), strict=True))
        return {name: hmc_step(state[name], keys[name])[0] for name in state}, None

    return lax.scan(step, {"x": jnp.zeros(3), "y": jnp.ones(2)}, random.split(random.key(1), 3))[0]


def particles_resampled_by_one_offset():
    def step(particles, key):
        move_key, resample_key = random.split(key)
        particles = particles + random.normal(move_key, particles.shape)
        points = (jnp.arange(8) + random.uniform(resample_key)) / 8
        weights = jnp.cumsum(jax.nn.softmax(-(particles**2)))
        return particles[jnp.searchsorted(weights, points).clip(max=7)], None

    return lax.scan(step, jnp.zeros(8), random.split(random.key(2), 4))[0]


def antithetic_estimates():
    noise = random.normal(random.key(0), (100,))
    return (jnp.exp(noise).mean() + jnp.exp(-noise).mean()) / 2


def bootstrap_samples():
    data = jnp.arange(10.0)
    return jax.vmap(lambda key: random.choice(key, data, (10,)).mean())(random.split(random.key(3), 6))


# -- optimizers and training -------------------------------------------------------------------


def an_optimizer_that_carries_its_key():
    def update(gradient, state):
        key, noise_key = random.split(state)
        return gradient + 0.1 * random.normal(noise_key, gradient.shape), key

    parameters, state = jnp.ones(3), random.key(0)
    for _ in range(3):
        change, state = update(jax.grad(log_density)(parameters), state)
        parameters = parameters + 0.1 * change
    return parameters


def noise_for_each_leaf():
    leaves, structure = jax.tree.flatten({"b": jnp.zeros(2), "w": jnp.zeros((2, 3))})
    keys = random.split(random.key(0), len(leaves))
    return structure.unflatten([random.normal(key, leaf.shape) for key, leaf in zip(keys, leaves, strict=True)])


def keys_as_a_tree_like_the_parameters():
    parameters = {"b": jnp.zeros(2), "w": jnp.zeros((2, 3))}
    structure = jax.tree.structure(parameters)
    keys = structure.unflatten(random.split(random.key(0), structure.num_leaves))
    return jax.tree.map(lambda leaf, key: leaf + random.normal(key, leaf.shape), parameters, keys)


def epochs_that_shuffle():
    key, seen = random.key(0), []
    for epoch in range(2):
        order = random.permutation(random.fold_in(key, epoch), 8)
        seen += [X.sum() * order[start : start + 4] for start in (0, 4)]
    return seen


def a_step_number_folded_in():
    key = random.key(0)
    step = jax.jit(lambda x, number: x + random.normal(random.fold_in(key, number), x.shape))
    return [step(X, number) for number in range(3)]


def clipped_gradients_with_noise():
    def step(parameters, key):
        gradients = jax.vmap(jax.grad(lambda w, x: ((w * x) ** 2).sum()), in_axes=(None, 0))(parameters, X)
        clipped = jax.vmap(lambda each: each / jnp.maximum(1.0, jnp.linalg.norm(each)))(gradients)
        return parameters - clipped.sum(0) - random.normal(key, parameters.shape), None

    return lax.scan(step, jnp.ones(3), random.split(random.key(4), 3))[0]


# -- layers ------------------------------------------------------------------------------------


def a_sequence_that_hands_out_keys():
    def sequence(key):
        while True:
            key, handed = random.split(key)
            yield handed

    keys = sequence(random.key(0))
    return [dropout(X, next(keys)) for _ in range(3)]


def a_stream_that_counts():
    stream = {"key": random.key(0), "count": 0}

    def taken():
        stream["count"] += 1
        return random.fold_in(stream["key"], stream["count"])

    return [dropout(X, taken()) for _ in range(3)]


def keys_by_the_name_of_a_layer():
    key = random.key(0)
    return [
        random.normal(random.fold_in(key, zlib.crc32(name.encode()) & 0x7FFFFFFF), (3,))
        for name in ("dense/kernel", "dense/bias", "head/kernel")
    ]


def initial_weights_from_one_split():
    sizes = (3, 5, 2)
    keys = random.split(random.key(0), len(sizes) - 1)
    return [random.normal(key, shape) for key, shape in zip(keys, itertools.pairwise(sizes), strict=True)]


def dropout_that_is_computed_again_for_the_gradient():
    loss = jax.checkpoint(lambda w, key: dropout(w * X, key).sum())
    return jax.grad(loss)(jnp.ones(3), random.key(0))


def an_autoencoder_that_draws_once_for_the_batch():
    mean, scale = X, 0.1 * X
    return jax.grad(lambda mean: (mean + scale * random.normal(random.key(0), mean.shape)).sum())(mean)


def mixing_examples_with_two_keys():
    share_key, order_key = random.split(random.key(0))
    share = random.beta(share_key, 2.0, 2.0)
    return share * X + (1 - share) * random.permutation(order_key, X)


def layers_dropped_by_their_number():
    key, x = random.key(0), X
    for layer in range(3):
        x = jnp.where(random.bernoulli(random.fold_in(key, layer), 0.8), x * 1.1, x)
    return x


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


def graphs_with_noise_on_nodes_and_edges():
    node_key, edge_key = random.split(random.key(0))
    nodes, edges = random.normal(node_key, (5, 2)), random.normal(edge_key, (8, 2))
    return jax.ops.segment_sum(edges, jnp.arange(8) % 5, 5) + nodes


def the_tree_of_keys_of_a_library():
    return a_library.Tree(random.key(0)).walked(4)  # note: key-reuse says "with its own key"


def the_tree_of_keys_of_a_library_in_each_iteration():
    tree = a_library.Tree(random.key(0))
    return [tree.walked(2) for _ in range(3)]  # bug: key-reuse
