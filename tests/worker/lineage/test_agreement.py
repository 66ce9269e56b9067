"""Recorded programs: the drawing of the Keys pane, its texts and the findings agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax, random

from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences
from tests.corpus.cases import Case, cases
from tests.views.keys.agreement import disagreements
from tests.worker.recorded import recorded
from tests.worker.recording import programs


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_are_painted_as_their_texts_say(seed: int) -> None:
    found = recorded(programs.run, programs.make(seed), random.key(seed))
    assert disagreements(found.graph, found.findings) == []


@pytest.mark.parametrize("case", [each for each in cases("key-reuse") if "harmless" in str(each)], ids=str)
def test_keys_that_are_used_again_are_painted_as_their_texts_say(case: Case) -> None:
    found = recorded(case.function())
    assert disagreements(found.graph, found.findings) == []


def stacked(sampler: Callable[[Any], Any]) -> Any:
    return jax.vmap(sampler)(jnp.stack([random.key(0)] * 50))


def in_a_scan(use: Callable[[Any], Any], steps: int = 20) -> Any:
    def body(key: Any, _: None) -> Any:
        key, sub = random.split(key)
        return key, use(sub)

    return lax.scan(body, random.key(0), None, steps)[1]


PROGRAMS: dict[str, tuple[Callable[[], Any], str]] = {
    "one key stacked": (lambda: stacked(random.normal), "1 key spent, shared by 50 examples"),
    "one key stacked for a sampler that splits": (
        lambda: stacked(lambda key: random.randint(key, (3,), 0, 9)),
        "1 key spent, shared by 50 examples",
    ),
    "two keys stacked in turn": (
        lambda: jax.vmap(random.normal)(jnp.stack([*random.split(random.key(0))] * 25)),
        "2 keys spent, 2 shared by 25 examples",
    ),
    "a sampler that splits, called twice": (
        lambda: [random.randint(random.key(0), (3,), 0, 9) for _ in range(2)],
        "1 key spent, 2 times",
    ),
    "a key for each": (
        lambda: jax.vmap(lambda key: random.randint(key, (), 0, 9))(random.split(random.key(0), 4)),
        "4 keys spent, one for each example",
    ),
    "split twice, nothing drawn": (
        lambda: [random.split(key) for key in [random.key(0)] * 2],
        "3 keys, none drawn from, 1 split more than once",
    ),
    "reuse in each step": (
        lambda: in_a_scan(lambda key: random.normal(key) + random.normal(key)),
        "20 keys spent, 20 more than once",
    ),
    "shuffles in each step": (lambda: in_a_scan(lambda key: random.permutation(key, 5)), "20 keys spent, no key twice"),
    "folded into": (
        lambda: [random.normal(random.fold_in(random.key(0), n)) for n in range(3)],
        "3 keys spent, each once",
    ),
    "equal keys of a kind that JAX batches together": (
        lambda: jax.vmap(random.normal)(jnp.stack([random.key(0, impl="rbg")] * 5)),
        "1 key spent",
    ),
    "a clone": (
        lambda: [random.normal(each) for key in [random.key(0)] for each in (key, random.clone(key))],
        "1 key spent",
    ),
}


@pytest.mark.parametrize(("program", "verdict"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_is_painted_as_its_texts_say(program: Callable[[], Any], verdict: str) -> None:
    found = recorded(program)
    assert disagreements(found.graph, found.findings) == []
    assert str(KeySentences(KeyIndex(found.graph)).verdict) == verdict
