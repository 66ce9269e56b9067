"""An unused child of a split is reported at its split; and is no bug where that is intended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import pytest

from explorer.recording import recording
from tests.worker.checks.value_cases import Broken
from tests.worker.lineage.unused_key_cases import in_a_comprehension, table
from tests.worker.recorded import recorded

MEANT = "meant for"


@pytest.mark.parametrize("case", table.all_broken, ids=lambda case: case.program.__name__)
def test_it_is_reported_next_to_the_sibling_that_is_used_instead(case: Broken) -> None:
    program = recorded(case.program)
    found = program.findings
    meant = [each.line for each in found if each.kind == "unused-key" and MEANT in str(each.message)]
    assert case.line in meant
    assert {each.kind for each in found if each.level != "note"} == {"key-reuse"}


def test_a_sampler_that_was_traced_while_more_was_watched_is_the_same_sampler() -> None:
    jax.clear_caches()
    with recording():
        # Unlike `recorded`, it watches promotions too, with a frame of ours in the traceback of each equation.
        jax.random.normal(jax.random.key(0), (3,))
    assert recorded(in_a_comprehension).states == ["split", "reused", "unused"]


@pytest.mark.parametrize("program", table.all_sound, ids=lambda program: program.__name__)
def test_where_no_sibling_is_used_twice_it_is_a_note_at_most(program: Callable[[], Any]) -> None:
    found = recorded(program).findings
    assert {each.level for each in found} <= {"note"}
    assert not any(MEANT in str(each.message) for each in found)
