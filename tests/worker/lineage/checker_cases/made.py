"""Keys of each kind, and equal keys that are made in two ways."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax, random

from tests.worker.lineage.checker_cases.table import CaseTable

TABLE = CaseTable()
case = TABLE.case

X = jnp.ones((4, 3))


def key() -> Any:
    return random.key(7)


def add_noise(x: Any, key: Any) -> Any:
    return x + random.normal(key, x.shape)


# -- raw keys ----------------------------------------------------------------------------------


@case("reuse", at=("random.normal(noise_key)", "random.uniform(noise_key)"))
def raw_key_twice() -> Any:
    noise_key = random.PRNGKey(7)
    return random.normal(noise_key), random.uniform(noise_key)


@case("reuse")
def raw_key_twice_in_jit() -> Any:
    return jax.jit(lambda key: random.normal(key) + random.uniform(key))(random.PRNGKey(7))


@case("reuse")
def raw_key_in_a_python_loop() -> Any:
    noise_key = random.PRNGKey(7)
    return [random.normal(noise_key) for _ in range(3)]


@case("reuse", at=("random.normal(noise_key)", "random.normal(noise_key)"))
def raw_key_closed_over_by_scan() -> Any:
    noise_key = random.PRNGKey(7)
    return lax.scan(lambda x, _: (x + random.normal(noise_key), None), 0.0, None, 3)


@case("reuse", at=("random.normal(noise_key)", "random.split(noise_key)"))
def raw_key_drawn_and_split() -> Any:
    noise_key = random.PRNGKey(7)
    return random.normal(noise_key), random.split(noise_key)


@case("ok")
def raw_keys_split_and_drawn() -> Any:
    return [random.normal(each) for each in random.split(random.PRNGKey(7), 3)]


@case("reuse", at=("random.normal(random.PRNGKey(7))", "random.uniform(random.key(7))"))
def raw_and_typed_key_of_one_seed() -> Any:
    return random.normal(random.PRNGKey(7)), random.uniform(random.key(7))


@case("shared", shares=(0, 4, 1))
def raw_key_closed_over_by_vmap() -> Any:
    noise_key = random.PRNGKey(7)
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


# -- equal keys made in two ways ---------------------------------------------------------------


@case("reuse", at=("random.normal(random.key(3))", "random.uniform(random.key(3))"))
def seed_made_twice() -> Any:
    return random.normal(random.key(3)), random.uniform(random.key(3))


@case("reuse", at=("random.normal(random.key(0))", "random.normal(random.key(0))"))
def seed_made_in_each_iteration_of_a_scan() -> Any:
    return lax.scan(lambda x, _: (x + random.normal(random.key(0)), None), 0.0, None, 3)


@case("reuse", at=("random.normal(random.fold_in(parent, 1))", "random.uniform(random.fold_in(parent, 1))"))
def folded_with_equal_numbers() -> Any:
    parent = key()
    return random.normal(random.fold_in(parent, 1)), random.uniform(random.fold_in(parent, 1))


@case("reuse", at=("random.normal(second)", "random.uniform(random.fold_in(parent, 1))"))
def folded_with_the_number_of_a_child() -> Any:
    parent = key()
    first, second = random.split(parent)
    return random.normal(first), random.normal(second), random.uniform(random.fold_in(parent, 1))


@case("ok")
def folded_with_the_number_of_no_child() -> Any:
    parent = key()
    first, second = random.split(parent)
    return random.normal(first), random.normal(second), random.uniform(random.fold_in(parent, 2))


@case("reuse")
def folded_modulo_two_in_a_loop() -> Any:
    parent = key()
    return lax.fori_loop(0, 4, lambda i, x: x + random.normal(random.fold_in(parent, i % 2)), 0.0)


@case("reuse")
def wrapped_again_from_its_words() -> Any:
    noise_key = key()
    return random.normal(noise_key), random.uniform(random.wrap_key_data(random.key_data(noise_key)))


@case("reuse", at=("random.split(parent, 2)", "random.split(parent, 3)"))
def split_into_two_and_again_into_three() -> Any:
    parent = key()
    pair = jax.vmap(random.normal)(random.split(parent, 2))
    return pair, jax.vmap(random.normal)(random.split(parent, 3))


@case("ok")
def two_seeds() -> Any:
    return random.normal(random.key(3)), random.normal(random.key(4))


@case("ok")
def made_twice_and_drawn_once() -> Any:
    return random.normal(random.key(3)), random.key(3)


# -- other kinds of keys -----------------------------------------------------------------------


@case("reuse")
def rbg_key_twice() -> Any:
    noise_key = random.key(7, impl="rbg")
    return random.normal(noise_key), random.uniform(noise_key)


@case("shared", shares=(0, 4, 1))
def rbg_key_closed_over_by_vmap() -> Any:
    noise_key = random.key(7, impl="rbg")
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


@case("ok")
def equal_words_in_two_kinds_of_keys() -> Any:
    words = jnp.array([0, 0, 0, 7], jnp.uint32)
    return random.normal(random.wrap_key_data(words, impl="rbg")), random.normal(random.wrap_key_data(words[2:]))
