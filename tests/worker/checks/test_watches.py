"""Independent watches for kinds of findings, in an inspected run and next to a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType

import jax.numpy as jnp
import pytest
from jax._src.ops import scatter

from explorer.messages import Finding, Report
from explorer.text.text import say
from explorer.worker.internals import array_operations
from explorer.worker.internals.guard import Guard
from explorer.worker.runs import in_process, observe
from tests.worker.analysed import report

UPDATES = "import jax.numpy as jnp\n\n\ndef run():\n    return jnp.zeros(2).at[0].set(1.0)\n"


class Watch:
    """Counts updates of arrays; breaks at the third."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._count = is_user_code, 0

    @contextmanager
    def watching(self) -> Iterator[Guard]:
        with array_operations.updates_watched(self._look) as guard:
            yield guard

    def findings(self) -> list[Finding]:
        return [Finding("host-state", "note", say("updated"), count=self._count)] if self._count else []

    def _look(self, frame: FrameType) -> None:
        self._count += self._is_user_code(frame.f_code.co_filename)
        if self._count == 3:
            raise RuntimeError("broken")


@pytest.fixture(autouse=True)
def _one_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("a_kind")
    module.__dict__.update(Watch=Watch)
    monkeypatch.setattr(observe, "MODULES", (module,))


def found(result: Report) -> list[int]:
    return [each.count for each in result.findings or () if each.kind == "host-state"]


def test_what_it_finds_is_reported_for_the_shown_run() -> None:
    result = report(UPDATES, "run", traces=True)
    assert found(result) == [1]
    assert [str(each.says) for each in result.coverage if each.part == "tracing"] == ["1 note"]


def test_what_it_finds_is_reported_next_to_a_recording() -> None:
    with in_process.recorded() as recording:
        jnp.zeros(2).at[1].add(1.0)
    assert found(in_process.report("test", recording)) == [1]


def test_one_that_breaks_leaves_the_program_alone_and_says_so() -> None:
    with in_process.recorded() as recording:
        x = jnp.zeros(2)
        for _ in range(4):
            x = x.at[0].add(1.0)
    result = in_process.report("test", recording)
    assert x[0] == 4.0
    assert [each.extent for each in result.coverage if each.part == "tracing"] == ["failed"]


def test_updates_that_fail_are_not_reported() -> None:
    frames: list[FrameType] = []
    with array_operations.updates_watched(frames.append) as guard, pytest.raises((TypeError, ValueError)):
        jnp.zeros(3).at[0].set(jnp.ones(2))
    assert (frames, guard.error) == ([], None)


def test_what_was_replaced_is_put_back() -> None:
    before = scatter._scatter_update
    with in_process.recorded():
        assert scatter._scatter_update is not before
    assert scatter._scatter_update is before
