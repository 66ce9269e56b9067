"""A key that is used again without harm is no bug: a library's constant, its splits without a draw, a fixed key."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import random

from tests.views.keys.agreement import disagreements
from tests.worker.lineage import a_library
from tests.worker.recorded import recorded

X = jnp.ones(3)


def a_constant_of_the_library() -> Any:
    return [a_library.log_prob(X) for _ in range(3)], a_library.log_prob(2 * X)


def a_constant_of_the_library_for_each_example() -> Any:
    return jax.vmap(a_library.log_prob)(jnp.ones((4, 3))), jax.vmap(lambda x: a_library.log_prob(x) + x)(X)


def one_seed_for_each_example() -> Any:
    return jax.vmap(lambda x: x + a_library.noise((3,), seed=5))(X)


def my_key_and_that_constant() -> Any:
    return random.normal(random.key(5), (3,)), a_library.log_prob(X)


def a_constant_that_is_split_only() -> Any:
    return random.normal(random.key(5), (3,)), a_library.describe(X)


def shuffled_in_step() -> Any:
    key = random.key(0)
    return random.permutation(key, jnp.ones((6, 2))), jnp.arange(6)[random.permutation(key, 6)]


def shuffled_in_step_in_each_epoch() -> Any:
    images, labels = jnp.ones((6, 2)), jnp.arange(6)
    for key in random.split(random.key(0), 3):
        images, labels = random.permutation(key, images), random.permutation(key, x=labels)
    return images, labels


def shuffled_with_one_key_in_all_epochs() -> Any:
    images, labels, key = jnp.ones((6, 2)), jnp.arange(6), random.key(0)
    for _ in range(3):
        images, labels = random.permutation(key, images), random.permutation(key, labels)
    return images, labels


def shuffled_to_other_orders() -> Any:
    key = random.key(0)
    return random.permutation(key, jnp.ones((6, 2))), random.permutation(key, jnp.arange(7))


def one_array_shuffled_twice() -> Any:
    key, labels = random.key(0), jnp.arange(6)
    return random.permutation(key, labels), random.permutation(key, labels)


def shuffled_and_drawn() -> Any:
    key, labels = random.key(0), jnp.arange(6)
    return random.permutation(key, labels), random.normal(key, (6,))


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


IMPORTED = compile(
    """
from jax import random

CONSTANT = random.normal(random.key(5))


def noisy(x, key=random.key(42)):
    return x + random.normal(key, x.shape)


def fitted(x, key):
    return noisy(x) * random.normal(key, x.shape)
""",
    a_library.__file__.replace("a_library", "a_library_that_is_imported"),
    "exec",
)


def of_an_import() -> Any:
    """Return a library whose import makes a default key."""
    library: dict[str, Any] = {}
    exec(IMPORTED, library)
    return SimpleNamespace(**library)


def my_key_and_the_default() -> Any:
    library = of_an_import()
    key = random.key(42)
    return random.normal(key, (3,)), library.noisy(X), library.noisy(2 * X)


def my_key_and_the_default_inside_a_call_with_another_key() -> Any:
    library = of_an_import()
    key, other = random.split(random.key(42))
    return random.normal(other, (3,)), library.fitted(X, key)


def my_key_of_the_seed_of_the_default_twice() -> Any:
    of_an_import()
    key = random.key(42)
    return random.normal(key, (3,)), random.uniform(key, (3,))


def my_key_of_the_seed_of_the_default_given_twice() -> Any:
    library = of_an_import()
    key = random.key(42)
    return library.noisy(X, key=key), library.noisy(X, key=key)


LEVELS: dict[Callable[[], Any], str] = {
    a_constant_of_the_library: "",
    a_constant_of_the_library_for_each_example: "",
    one_seed_for_each_example: "bug",
    my_key_and_that_constant: "",
    a_constant_that_is_split_only: "",
    my_key_and_the_default: "",
    my_key_and_the_default_inside_a_call_with_another_key: "",
    my_key_of_the_seed_of_the_default_twice: "bug",
    my_key_of_the_seed_of_the_default_given_twice: "bug",
    shuffled_in_step: "",
    shuffled_in_step_in_each_epoch: "",
    shuffled_with_one_key_in_all_epochs: "bug",
    shuffled_to_other_orders: "bug",
    one_array_shuffled_twice: "bug",
    shuffled_and_drawn: "bug",
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


WITH_A_SEQUENCE = """
from jax import random


class Sequence:
    def __init__(self, key):
        self.key = key

    def __next__(self):
        self.key, key = random.split(self.key)
        return key


def applied(model, key):
    keys = Sequence(key)
    return model(lambda: next(keys))
"""


@pytest.mark.parametrize("earlier", range(10))
def test_one_key_passed_twice_to_a_library_is_a_bug_however_often_it_was_called_before(earlier: int) -> None:
    # Python replaces the instructions of a function by faster ones after a few calls.
    library: dict[str, Any] = {}
    exec(compile(WITH_A_SEQUENCE, a_library.__file__.replace("a_library", "with_a_sequence"), "exec"), library)

    def program() -> Any:
        key, *others = random.split(random.key(0), earlier + 1)
        return [library["applied"](lambda new_key: random.normal(new_key()), each) for each in (*others, key, key)]

    (finding,) = recorded(program).findings
    assert (finding.kind, finding.level) == ("key-reuse", "bug")
    assert "A library does this" not in str(finding.message)


@pytest.mark.parametrize("is_drawn_from", [True, False])
def test_a_long_chain_of_keys_is_followed_many_generations_at_a_time(
    is_drawn_from: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 4000
    looks: list[int] = []
    genuine = np.array_equal

    def looked(one: Any, other: Any) -> bool:
        looks.append(1)
        return genuine(one, other)

    def program() -> Any:
        key = random.key(0)
        noise = random.normal(key)
        last, _ = jax.lax.scan(lambda key, _: (random.split(key)[0], None), random.split(key)[0], None, steps)
        return noise, random.normal(last) if is_drawn_from else 0

    monkeypatch.setattr(np, "array_equal", looked)
    (finding,) = [each for each in recorded(program).findings if each.kind == "key-reuse"]
    assert finding.level == ("bug" if is_drawn_from else "warning")
    assert len(looks) < steps / 40


def test_a_default_made_at_import_is_not_where_my_key_of_that_seed_is_made() -> None:
    (finding,) = recorded(my_key_of_the_seed_of_the_default_twice).findings
    assert [each.role for each in finding.places] == ["made", "spent", "spent"]
    assert "Split it" in str(finding.message)
