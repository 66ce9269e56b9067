"""How far the search goes for what is drawn from a key that is used again; its verdicts are cases of the corpus."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from jax import random

from tests.worker.lineage import a_library
from tests.worker.recorded import recorded

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
