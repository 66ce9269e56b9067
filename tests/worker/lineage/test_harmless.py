"""A key that is used again without harm is no bug: a library's constant, its splits without a draw, a fixed key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import random

from tests.views.keys.agreement import disagreements
from tests.worker.lineage import a_library
from tests.worker.recorded import recorded

X = jnp.ones(3)


def a_constant_of_the_library() -> Any:
    return [a_library.log_prob(X) for _ in range(3)], a_library.log_prob(2 * X)


def my_key_and_that_constant() -> Any:
    return random.normal(random.key(5), (3,)), a_library.log_prob(X)


def a_constant_that_is_split_only() -> Any:
    return random.normal(random.key(5), (3,)), a_library.describe(X)


def drawn_and_split_for_nothing() -> Any:
    key = random.key(0)
    noise = random.normal(key, (3,))
    random.split(key)
    return noise


def one_seed_given_twice() -> Any:
    return a_library.noise((3,), seed=5), a_library.noise((4,), seed=5)


def my_key_twice_and_the_constant() -> Any:
    key = random.key(5)
    return random.normal(key, (3,)), random.uniform(key, (3,)), a_library.log_prob(X)


def split_twice_and_drawn_from() -> Any:
    key = random.key(0)
    first = random.normal(random.split(key)[0])
    return first, random.normal(random.split(key)[0])


def split_twice_and_returned() -> Any:
    key = random.key(0)
    return random.split(key), random.split(key)


def pictures_with_a_fixed_key() -> Any:
    def picture(x: Any, key: Any) -> Any:
        return x * random.normal(key, (3,))

    eval_key = random.key(0)
    return [picture(x, eval_key) for x in (1.0, 2.0)]


def two_samplers_with_a_fixed_key() -> Any:
    eval_key = random.key(0)
    return random.normal(eval_key, (3,)), random.uniform(eval_key, (3,))


def pictures_with_a_key() -> Any:
    key = random.key(0)
    return [x * random.normal(key, (3,)) for x in (1.0, 2.0)]


@jax.jit
def like_noise(key: Any) -> Any:
    return jnp.zeros_like(random.normal(key, (3,)))


def drawn_for_its_shape() -> Any:
    key = random.key(0)
    return like_noise(key), random.normal(key, (3,))


def drawn_for_its_shape_twice() -> Any:
    key = random.key(0)
    return like_noise(key), like_noise(key)


def drawn_and_returned_in_jit() -> Any:
    def step(key: Any) -> Any:
        return jnp.zeros_like(noise := random.normal(key, (3,))), noise

    key = random.key(0)
    return jax.jit(step)(key), random.normal(key, (3,))


def members_with_a_common_key() -> Any:
    common_key = random.key(0)
    return jax.vmap(lambda scale, key: scale * random.normal(key, (3,)), in_axes=(0, None))(X, common_key)


def examples_with_one_key() -> Any:
    key = random.key(0)
    return jax.vmap(lambda scale, key: scale * random.normal(key, (3,)), in_axes=(0, None))(X, key)


def examples_of_the_shape_of_noise() -> Any:
    return jax.vmap(lambda x, key: x + like_noise(key), in_axes=(0, None))(X, random.key(0))


LEVELS: dict[Callable[[], Any], str] = {
    a_constant_of_the_library: "",
    my_key_and_that_constant: "",
    a_constant_that_is_split_only: "",
    drawn_and_split_for_nothing: "warning",
    drawn_for_its_shape: "note",
    drawn_for_its_shape_twice: "note",
    drawn_and_returned_in_jit: "bug",
    members_with_a_common_key: "warning",
    examples_with_one_key: "bug",
    examples_of_the_shape_of_noise: "note",
    one_seed_given_twice: "bug",
    pictures_with_a_fixed_key: "warning",
    two_samplers_with_a_fixed_key: "bug",
    pictures_with_a_key: "bug",
    my_key_twice_and_the_constant: "bug",
    split_twice_and_drawn_from: "bug",
    split_twice_and_returned: "bug",
}


@pytest.mark.parametrize("program", LEVELS, ids=lambda program: program.__name__)
def test_reuse_is_a_bug_where_numbers_are_related(program: Callable[[], Any]) -> None:
    made = recorded(program)
    found = [each.level for each in made.findings if each.kind in ("key-reuse", "shared-noise")]
    assert " ".join(found) == LEVELS[program]
    assert disagreements(made.graph, made.findings) == []
