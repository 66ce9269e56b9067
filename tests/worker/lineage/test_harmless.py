"""A key that is used again without harm is no bug: a library's constant, its splits without a draw, a fixed key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


LEVELS: dict[Callable[[], Any], str] = {
    a_constant_of_the_library: "",
    my_key_and_that_constant: "",
    a_constant_that_is_split_only: "",
    drawn_and_split_for_nothing: "bug",
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
    found = [each.level for each in made.findings if each.kind == "key-reuse"]
    assert " ".join(found) == LEVELS[program]
    assert disagreements(made.graph, made.findings) == []
