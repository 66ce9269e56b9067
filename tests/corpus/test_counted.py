"""Lines and times in findings on keys agree with a plain count of the calls of `jax.random`, without a recording."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import pytest

from explorer.worker.process.process_state import ProcessSettings
from tests.corpus import cases
from tests.corpus.cases import Case, judged

MAKERS = ("key", "PRNGKey", "split", "fold_in", "clone", "wrap_key_data")
USED = re.compile(r"used (?P<times>[\d,]+) times by `(?P<name>\w+)` on line (?P<line>\d+)(?! of)")
DRAWN = re.compile(r"`(?P<name>\w+)` on line (?P<line>\d+) draws the same numbers (?P<times>[\d,]+) times")
FOUND = [
    case
    for kind in ("key-reuse", "shared-noise")
    for case in cases.cases(kind)
    if case.is_broken and not any(word in case.own for word in ("devices", "raw_state", "warm_up", "ahead_of_time"))
]


class Count:
    """The calls of `jax.random` in the code of a case."""

    def __init__(self) -> None:
        self.makes: set[int] = set()
        """Lines from which a key is made, directly or by what they call."""
        self.uses: set[int] = set()
        """Lines from which a key is used."""
        self.times: Counter[tuple[str, int, bytes]] = Counter()
        """Number of calls by name, line and key data."""

    def counting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def counted(*arguments: Any, **named: Any) -> Any:
            lines, frame = [], sys._getframe(1)
            while frame.f_back is not None:
                if frame.f_code.co_filename == "<case>":
                    lines.append(frame.f_lineno)
                frame = frame.f_back
            (self.makes if name in MAKERS else self.uses).update(lines)
            if name in ("split", "fold_in"):
                self.uses.update(lines)
            key = arguments[0] if arguments else named.get("key")
            if lines and isinstance(key, jax.Array) and not isinstance(key, jax.core.Tracer):
                with jax.ensure_compile_time_eval():
                    data = jax.random.key_data(key) if jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key) else key
                    self.times[name, lines[0], bytes(data)] += 1
            return function(*arguments, **named)

        return counted


@contextmanager
def counted() -> Iterator[Count]:
    """Count the calls in the block, in which loops and jit run in Python."""
    count = Count()
    with pytest.MonkeyPatch.context() as patch, jax.disable_jit():
        for name, function in inspect.getmembers(jax.random, inspect.isfunction):
            if name not in ("key_data", "key_impl"):
                patch.setattr(jax.random, name, count.counting(name, function))
        yield count


@pytest.mark.rest
@pytest.mark.parametrize("case", FOUND, ids=str)
def test_lines_and_times_are_those_of_a_plain_count(case: Case) -> None:
    bugs = [each for each in judged(case) if each.level != "note"]
    before = ProcessSettings.now()
    try:
        with counted() as count:
            case.function()()
    finally:
        before.restore()
    for bug in bugs:
        for place in bug.places:
            lines = count.makes if place.role == "made" else count.uses
            assert lines.intersection(range(place.span.line, place.span.end_line + 1)), (place, bug.message)
        for said in (*USED.finditer(str(bug.message)), *DRAWN.finditer(str(bug.message))):
            times = [
                n for (name, line, _), n in count.times.items() if (name, line) == (said["name"], int(said["line"]))
            ]
            assert not times or max(times) == int(said["times"].replace(",", "")), (times, bug.message)
