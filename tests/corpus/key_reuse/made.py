"""Keys of each kind, and equal keys that are made in two ways."""

import jax
import jax.numpy as jnp
from jax import lax, random

X = jnp.ones((4, 3))


def key():
    return random.key(7)


def add_noise(x, key):
    return x + random.normal(key, x.shape)


# -- raw keys ----------------------------------------------------------------------------------


def raw_key_twice():
    # at "random.normal(noise_key)", "random.uniform(noise_key)"
    noise_key = random.PRNGKey(7)
    return random.normal(noise_key), random.uniform(noise_key)  # bug: key-reuse


def raw_key_twice_in_jit():
    return jax.jit(lambda key: random.normal(key) + random.uniform(key))(random.PRNGKey(7))  # bug: key-reuse


def raw_and_typed_key_of_one_seed():
    # at "random.normal(random.PRNGKey(7))", "random.uniform(random.key(7))"
    return random.normal(random.PRNGKey(7)), random.uniform(random.key(7))  # bug: key-reuse


# -- equal keys made in two ways ---------------------------------------------------------------


def seed_made_twice():
    # at "random.normal(random.key(3))", "random.uniform(random.key(3))"
    # says "from the seed 3: make it once and split it, one key for each use."
    return random.normal(random.key(3)), random.uniform(random.key(3))  # bug: key-reuse


def seed_made_in_each_iteration_of_a_scan():
    # at "random.normal(random.key(0))", "random.normal(random.key(0))"
    return lax.scan(lambda x, _: (x + random.normal(random.key(0)), None), 0.0, None, 3)  # bug: key-reuse


def folded_with_equal_numbers():
    # at "random.normal(random.fold_in(parent, 1))", "random.uniform(random.fold_in(parent, 1))"
    parent = key()
    return random.normal(random.fold_in(parent, 1)), random.uniform(random.fold_in(parent, 1))  # bug: key-reuse


def folded_with_the_number_of_a_child():
    # at "random.normal(second)", "random.uniform(random.fold_in(parent, 1))"
    # says "child 1 of a split is what fold_in makes with 1"
    parent = key()
    first, second = random.split(parent)
    return random.normal(first), random.normal(second), random.uniform(random.fold_in(parent, 1))  # bug: key-reuse


def folded_with_the_number_of_no_child():
    parent = key()
    first, second = random.split(parent)
    return random.normal(first), random.normal(second), random.uniform(random.fold_in(parent, 2))


def folded_modulo_two_in_a_loop():
    parent = key()
    return lax.fori_loop(0, 4, lambda i, x: x + random.normal(random.fold_in(parent, i % 2)), 0.0)  # bug: key-reuse


def wrapped_again_from_its_words():
    noise_key = key()
    return random.normal(noise_key), random.uniform(random.wrap_key_data(random.key_data(noise_key)))  # bug: key-reuse


def split_into_two_and_again_into_three():
    # at "random.split(parent, 2)", "random.split(parent, 3)"
    parent = key()
    pair = jax.vmap(random.normal)(random.split(parent, 2))  # bug: key-reuse
    return pair, jax.vmap(random.normal)(random.split(parent, 3))


# -- other kinds of keys -----------------------------------------------------------------------


def rbg_key_twice():
    noise_key = random.key(7, impl="rbg")
    return random.normal(noise_key), random.uniform(noise_key)  # bug: key-reuse


def rbg_key_closed_over_by_vmap():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    noise_key = random.key(7, impl="rbg")
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


def equal_words_in_two_kinds_of_keys():
    words = jnp.array([0, 0, 0, 7], jnp.uint32)
    return random.normal(random.wrap_key_data(words, impl="rbg")), random.normal(random.wrap_key_data(words[2:]))
