"""Where a report says that keys are made, handed on and spent, and how many findings one cause makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax, random

from explorer.messages import Finding
from tests.corpus.cases import case
from tests.worker.recorded import Recorded, recorded

X = jnp.ones((8, 3))


def noise(key: Any, count: int = 3) -> Any:
    return random.normal(key, (count,))


def bugs(found: Recorded) -> list[Finding]:
    return [each for each in found.findings if each.level == "bug"]


def at(found: Recorded, finding: Finding, role: str) -> list[str]:
    return [found.source(place.span) for place in finding.places if place.role == role]


def test_each_line_where_an_equal_key_is_made_is_reported() -> None:
    found = recorded(case("key-reuse", "seeds_that_count_meet_another").function())
    (finding,) = bugs(found)
    lines = [place.span.line for place in finding.places if place.role == "made"]
    assert f"on line {lines[0]} and line {lines[1]}, from the seed 1" in str(finding.message)


def test_a_making_that_is_used_twice_is_another_cause_than_a_second_making() -> None:
    def program() -> Any:
        test = noise(random.key(1))
        for epoch in range(3):
            key = random.key(epoch)
            test += random.normal(key) + random.uniform(key)
        return test

    found = recorded(program)
    used, again = sorted(bugs(found), key=lambda each: -each.count)
    assert (used.count, at(found, used, "made")) == (3, ["random.key(epoch)"])
    assert str(used.message).endswith("Split the key, one key for each use.")
    assert (again.count, at(found, again, "made")) == (1, ["random.key(1)", "random.key(epoch)"])


def test_what_one_vmap_shares_in_two_places_is_one_finding() -> None:
    def program() -> Any:
        key = random.key(0)
        return jax.vmap(lambda x: x + random.normal(key, (3,)) * random.uniform(key, (3,)))(X)

    found = recorded(program)
    (finding,) = [each for each in bugs(found) if each.kind == "shared-noise"]
    assert at(found, finding, "spent") == ["random.normal(key, (3,))", "random.uniform(key, (3,))"]
    assert "draws once and serves them all. So does `uniform` on line" in str(finding.message)
    assert at(found, finding, "shared") == found.sources(finding)[-1:]


def reset(key: Any) -> Any:
    return random.uniform(key, (4,))


def train(rng: Any) -> Any:
    rng, sub = random.split(rng)
    state = jax.vmap(reset)(random.split(sub, 3))
    rng = random.PRNGKey(0)
    rng, sub = random.split(rng)
    weights = random.normal(sub, (4,))

    def explore(key: Any, values: Any) -> Any:
        first, second = random.split(key)
        greedy = values > 0
        return jnp.where(random.uniform(first, greedy.shape) < 0.5, random.bernoulli(second, 0.5, greedy.shape), greedy)

    def step(carry: Any, turn: Any) -> Any:
        state, weights, rng = carry
        rng, act, move = random.split(rng, 3)
        state += explore(act, state @ weights)[:, None]
        state += jax.vmap(reset)(random.split(move, 3))
        rng, learn = random.split(rng)
        chosen = lax.cond(turn > 1, lambda key: random.randint(key, (), 0, 3), lambda _: jnp.zeros((), int), learn)
        return (state, weights + state[chosen], rng), None

    return lax.scan(step, (state, weights, rng), jnp.arange(4))[0][1]


def seeds_that_a_constant_overwrites() -> Any:
    seeds = random.split(random.PRNGKey(0), 4)
    first = jax.jit(jax.vmap(train))(seeds)
    return first, random.PRNGKey(0)


@pytest.mark.rest
def test_a_constant_in_a_mapped_function_is_one_finding_at_the_line_that_makes_it() -> None:
    found = recorded(seeds_that_a_constant_overwrites)
    (finding,) = bugs(found)
    assert (finding.kind, finding.examples, finding.distinct) == ("shared-noise", 4, 1)
    (made,) = [place.span for place in finding.places if place.role == "made"]
    assert made.line == train.__code__.co_firstlineno + 3
    # In two of the four iterations randint draws, twice.
    assert finding.count == 1 + 4 * 3 + 2 * 2
    assert f"Each example makes the same key on line {made.line}: give each a key of its own" in str(finding.message)


def test_other_reuse_in_a_mapped_function_that_makes_a_constant_is_reported_once() -> None:
    def draws(rng: Any) -> Any:
        rng = random.PRNGKey(0)
        return random.normal(rng) + random.uniform(rng)

    def program() -> Any:
        return jax.vmap(draws)(random.split(random.PRNGKey(0), 4))

    found = recorded(program)
    assert [each.kind for each in bugs(found)] == ["shared-noise", "key-reuse"]
    assert at(found, bugs(found)[1], "made") == ["random.PRNGKey(0)"]


def test_a_key_made_twice_in_a_mapped_function_is_also_reuse() -> None:
    def draws(x: Any) -> Any:
        return x + random.normal(random.key(0), (3,)) + random.normal(random.key(0), (3,))

    kinds = [each.kind for each in bugs(recorded(lambda: jax.vmap(draws)(X)))]
    assert kinds == ["shared-noise", "key-reuse"]


def test_of_equal_keys_the_one_is_named_that_led_to_the_draw() -> None:
    def elsewhere() -> Any:
        return random.normal(random.key(0))

    def here() -> Any:
        key = random.key(0)
        return jax.vmap(lambda x: x + random.uniform(key, (3,)))(X)

    def program() -> Any:
        return elsewhere(), here(), elsewhere()

    found = recorded(program)
    (finding,) = [each for each in bugs(found) if each.kind == "shared-noise"]
    assert [place.span.line for place in finding.places if place.role == "made"] == [here.__code__.co_firstlineno + 1]


def test_of_equal_keys_the_one_is_named_that_is_drawn_from_and_folded_into() -> None:
    def elsewhere() -> Any:
        return random.key(0)

    def here() -> Any:
        key = random.key(0)
        return random.normal(key), random.normal(random.fold_in(key, 1))

    def program() -> Any:
        return elsewhere(), here()

    (finding,) = bugs(recorded(program))
    assert [place.span.line for place in finding.places if place.role == "made"] == [here.__code__.co_firstlineno + 1]


def test_findings_that_say_the_same_say_of_which_call_or_are_one() -> None:
    def add(x: Any, key: Any) -> Any:
        return x + random.normal(key, x.shape)

    def program() -> Any:
        first, second, third = random.split(random.key(0), 3)
        each = jax.vmap(add, (0, None))
        both = each(X, first), each(X, second)
        return both, each(X, third)

    found = bugs(recorded(program))
    line = program.__code__.co_firstlineno + 3
    assert [str(each.message).rsplit(". ", 1)[1] for each in found] == [
        f"vmap on line {line} does not map the key; split it, one key for each example.",
        f"vmap on line {line + 1} does not map the key; split it, one key for each example.",
    ]
    assert [each.count for each in found] == [2, 1]


# -- meant --------------------------------------------------------------------------------------


def reused_on_purpose() -> Any:
    key = random.key(0)
    first = random.normal(key)
    return first, random.uniform(key)  # jax-explorer: on purpose


def key_made_for_reuse() -> Any:
    key = random.key(0)  # jax-explorer: on purpose
    return random.normal(key), random.uniform(key), random.bits(key)


def handed_on_on_purpose() -> Any:
    key = random.key(0)
    first = noise(key)
    return first, noise(key)  # jax-explorer: on purpose


def shared_on_purpose() -> Any:
    key = random.key(0)
    return jax.vmap(lambda x: x + random.normal(key, (3,)))(X)  # jax-explorer: on purpose


def folded_after_draw_on_purpose() -> Any:
    key = random.key(0)
    first = random.normal(key)
    return first, random.fold_in(key, 1)  # jax-explorer: on purpose


MEANT = (reused_on_purpose, key_made_for_reuse, handed_on_on_purpose, shared_on_purpose, folded_after_draw_on_purpose)


@pytest.mark.parametrize("program", MEANT, ids=lambda program: program.__name__)
def test_what_a_comment_says_is_on_purpose_is_a_note(program: Callable[[], Any]) -> None:
    (finding,) = recorded(program).findings
    assert (finding.level, finding.on_purpose) == ("note", True)
    assert str(finding.message).endswith("It is marked as on purpose.")


def test_of_three_uses_one_comment_means_one() -> None:
    def program() -> Any:
        key = random.key(0)
        first, second = random.normal(key), random.uniform(key)
        return first, second, random.bits(key)  # jax-explorer: on purpose

    (finding,) = recorded(program).findings
    assert finding.level == "bug"


def test_a_comment_that_nothing_needs_is_reported() -> None:
    def program() -> Any:
        first, second = random.split(random.key(0))
        drawn = random.normal(first)
        return drawn, random.uniform(second)  # jax-explorer: on purpose

    found = recorded(program)
    (finding,) = found.findings
    assert (finding.kind, finding.level) == ("unneeded-mark", "note")
    assert str(finding.message).endswith("says “on purpose”, but in this run nothing is shared or used again there.")
    assert found.source(finding.spans[0]) == "# jax-explorer: on purpose"
