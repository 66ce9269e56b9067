"""XLA compiles a program once however many of our runs need it, unless the program could notice."""

from __future__ import annotations

import os
import shutil
from collections import Counter, OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from explorer.worker.internals import shared_compiles
from explorer.worker.internals.shared_compiles import CompiledOnDisk
from explorer.worker.process import compiled_programs
from tests.worker import analysed

HEAD = "import jax, jax.numpy as jnp\ndef inputs(): return {'x': jnp.ones(5)}\n"
STEP = "step = jax.jit(lambda x: jnp.sin(x) * 3.25)\ndef f(x): return step(x)\n"


class Kept(OrderedDict[str, Any]):
    """What is kept, and how often a program of the lambda was compiled for it and needed."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def __setitem__(self, key: str, made: Any) -> None:
        self.counts["compiled"] += key.startswith("jit__lambda")
        super().__setitem__(key, made)

    def move_to_end(self, key: str, last: bool = True) -> None:
        self.counts["needed"] += key.startswith("jit__lambda")
        super().move_to_end(key, last)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    kept = Kept()
    monkeypatch.setattr(shared_compiles, "_kept", kept)
    return kept


def analyse(source: str, *, is_there: bool = False) -> Any:
    report = analysed.report(HEAD + source, "f", draws=True, traces=True, value_checks=True)
    assert report.failure is None
    (step,) = report.traces or ()
    # No time is that of reading a program that was compiled earlier.
    assert (step.compiles, step.compile_s > 0) == (1, not is_there)
    return report


def test_runs_share_a_program_also_after_an_edit_elsewhere(kept: Kept) -> None:
    first = analyse(STEP)
    assert kept.counts == {"compiled": 1, "needed": 2}
    second = analyse(f"# A line.\n{STEP}", is_there=True)
    assert kept.counts == {"compiled": 1, "needed": 4}
    assert first.pictures == second.pictures


@pytest.mark.parametrize(
    "source",
    [
        f"import os, time\ntime.perf_counter()\n{STEP}",
        STEP.replace("jnp.sin(x)", "jax.pure_callback(lambda x: x, x, x)"),
    ],
    ids=["it reads a clock", "it calls Python"],
)
def test_nothing_is_shared_of_a_program_that_could_notice(kept: Kept, source: str) -> None:
    analyse(source)
    assert not +kept.counts


def test_only_the_newest_programs_are_kept(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_compiles, "MOST", 1)
    for name in ("cos", "tan", "cos"):
        analyse(STEP.replace("sin", name))
    assert kept.counts["compiled"] == 3
    assert len(kept) == 1


# -- on disk ------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache" / "compiled"
    monkeypatch.setattr(shared_compiles, "_disk", [CompiledOnDisk(folder)])
    return folder


def test_the_next_process_runs_what_an_earlier_one_compiled(
    kept: Kept, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = analyse(STEP)
    written = {each: each.read_bytes() for each in folder.iterdir()}
    kept.clear()
    monkeypatch.setattr(CompiledOnDisk, "put", None)
    assert analyse(f"# A line.\n{STEP}", is_there=True).pictures == first.pictures
    assert {each: each.read_bytes() for each in folder.iterdir()} == written
    if os.name == "posix":
        assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", [lambda file: file.write_bytes(b"half"), lambda file: shutil.rmtree(file.parent)])
def test_a_damaged_or_deleted_folder_costs_only_the_time_to_compile(
    kept: Kept, folder: Path, harm: Callable[[Path], object]
) -> None:
    first = analyse(STEP)
    for file in [*folder.iterdir()]:
        if file.exists():
            harm(file)
    kept.clear()
    assert analyse(STEP).pictures == first.pictures


def test_the_folder_is_cut_to_what_was_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for age, name in enumerate(("new.xla", "old.xla", "oldest.xla", "half.123")):
        (tmp_path / name).write_bytes(b"12")
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))
    monkeypatch.setattr(shared_compiles, "MOST_BYTES", 4)
    CompiledOnDisk(tmp_path).cut()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new.xla", "old.xla"]


# -- freed before there are too many -----------------------------------------------------------


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
