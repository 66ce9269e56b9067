"""Keys that loops and branches carry, and keys that are moved and read."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

X = jnp.ones((4, 3))


def key():
    return random.key(7)


def add_noise(x, key):
    return x + random.normal(key, x.shape)


# -- loops and branches ------------------------------------------------------------------------


def one_key_for_all_of_map():  # bug: key-reuse
    # at "random.normal(key, x.shape)", "random.normal(key, x.shape)"
    noise_key = key()
    return lax.map(lambda x: add_noise(x, noise_key), X)


def one_key_in_a_derivative_of_a_loop():
    # at "random.normal(noise_key)", "random.normal(noise_key)"
    noise_key = key()
    return jax.grad(lambda x: lax.fori_loop(0, 3, lambda _, y: y * random.normal(noise_key), x))(1.0)  # bug: key-reuse


def loop_of_one_iteration():
    noise_key = key()
    return lax.fori_loop(0, 1, lambda _, x: x + random.normal(noise_key), 0.0)


def drawn_after_a_branch_that_was_not_taken():
    noise_key = key()
    return lax.cond(X.sum() < 0, lambda: random.normal(noise_key), lambda: 0.0), random.normal(noise_key)


def drawn_after_a_switch_that_drew():
    noise_key = key()
    samplers = [random.normal, random.uniform, lambda _: 0.0]
    first = lax.switch(X.sum().astype(int) % 3, samplers, noise_key)  # bug: key-reuse
    return first, random.normal(noise_key)


def drawn_again_if_python_says_so():
    # at "random.normal(noise_key)", "random.uniform(noise_key)"
    noise_key = key()
    return random.uniform(noise_key) if random.normal(noise_key) < 100 else 0.0  # bug: key-reuse


# -- keys that are moved and checked ---------------------------------------------------------


def one_element_twice_by_a_dynamic_index():
    # at "random.normal(keys[at])", "random.uniform(keys[at])"
    keys, at = random.split(key(), 3), jnp.argmax(X[0])
    return random.normal(keys[at]), random.uniform(keys[at]), random.normal(keys[1]), keys[2]  # bug: key-reuse


def chosen_by_where():
    first, second = random.split(key())
    return random.normal(jnp.where(X.sum() > 0, first, second)), second


def chosen_by_where_and_drawn_before():
    first, second = random.split(key())
    return random.normal(first), random.normal(jnp.where(X.sum() > 0, first, second)), second  # bug: key-reuse


def transposed():
    return jax.vmap(jax.vmap(random.normal))(random.split(key(), (2, 3)).T)


def transposed_and_drawn_on_both_sides():
    keys, draw = random.split(key(), (2, 3)), jax.vmap(jax.vmap(random.normal))
    return draw(keys), draw(keys.T)  # bug: key-reuse


def each_of_some_indices_and_one_again():
    keys = random.split(key(), 3)
    return [random.normal(keys[at]) for at in (0, 1, 2, 1)]  # bug: key-reuse


def its_words_read_by_numpy():
    noise_key = key()
    return np.asarray(random.key_data(noise_key)), random.normal(noise_key)


def in_two_leaves_of_a_tree():
    noise_key = key()
    return jax.tree.map(random.normal, {"weights": noise_key, "biases": noise_key})  # bug: key-reuse
