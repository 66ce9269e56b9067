"""The worker frees compiled programs before it has grown large."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from explorer.worker.process import compiled_programs


@pytest.mark.parametrize(("kept", "next_file", "left"), [(3, "a.py", 3), (3, "b.py", 0), (5, "a.py", 0)])
def test_many_are_freed_for_another_file_and_most_for_the_same(
    kept: int, next_file: str, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_programs, "MANY", 3)
    monkeypatch.setattr(compiled_programs, "MOST", 5)
    programs = compiled_programs.CompiledPrograms()
    programs.free_if_many("a.py")
    twice = jax.jit(lambda number: number * 2)
    for number in range(kept):
        twice(np.zeros(number))
    before = twice._cache_size()
    programs.free_if_many(next_file)
    assert (before, twice._cache_size()) == (kept, left)
