"""The calls lens agrees with JAX: its own log of traces, the meter, and the functions' output."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Iterator

import jax
import pytest

from explorer.worker.code.user_code import LoadedProgram, load
from explorer.worker.process.output import PrintedText
from explorer.worker.runs.lenses.calls import VariantCalls, calls_lens
from tests.worker.analysed import report
from tests.worker.runs.lenses import call_programs

NAMES = ("plain", "static", "tree", "outer", "__call__", "bare", "<lambda>")


class Log(logging.Handler):
    """The names of the functions that JAX says it has traced."""

    def __init__(self) -> None:
        super().__init__()
        self.traced: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        words = record.getMessage().split()
        if words[:2] == ["Finished", "tracing"] and words[2] in NAMES:
            self.traced.append(words[2])


@contextlib.contextmanager
def logged() -> Iterator[list[str]]:
    """Yield JAX's log of traces that are in no other trace."""
    log, logger = Log(), logging.getLogger("jax._src.dispatch")
    logger.addHandler(log)
    try:
        with jax.log_compiles():
            yield log.traced
    finally:
        logger.removeHandler(log)


def seen(program: LoadedProgram) -> VariantCalls:
    printed = PrintedText(lambda _: None)
    with contextlib.redirect_stdout(printed.stream()):
        return calls_lens(program, "run", printed)


@pytest.mark.parametrize("seed", range(10))
def test_traces_are_those_that_jax_logs_and_that_print(seed: int) -> None:
    program = load(call_programs.program(seed), "<calls>")

    found = seen(program)

    anew = program.anew()
    with logged() as traced, contextlib.redirect_stdout(None):
        anew.module.run(**anew.inputs())
    misses = [each for each in found.calls if not each.hit]
    assert found.failure is None
    assert [each.function for each in misses if each.inside == -1] == traced
    # The functions say it themselves; each call is reported what was printed in it alone.
    assert all(each.printed == ("" if each.hit else "trace\n") for each in found.calls)
    assert all(bool(each.lines) != each.hit for each in found.calls)
    assert found.traces == len(misses)
    entries: dict[tuple[str, int], list[str]] = {}
    for call in found.calls:
        # A miss differs in something from every entry, and a hit from one in nothing.
        key = call.function, call.asked.function
        asked = f"{call.asked.structure} {call.asked.given}"
        assert (asked in entries.setdefault(key, [])) == call.hit
        entries[key].append(asked)
        assert bool(call.differs) == (not call.hit and call.nearest > 0)


@pytest.mark.parametrize("seed", range(24, 28))
def test_traces_are_those_that_the_report_counts(seed: int) -> None:
    source = call_programs.program(seed, 9, (*call_programs.CALLS, *call_programs.IN_DERIVATIVES))
    program = load(source, "<calls>")
    with contextlib.redirect_stdout(None):
        counted = report(source, "run", traces=True).traces or ()
    found = seen(program)
    assert found.traces == sum(each.traces for each in counted)
    reported = Counter(each.function for each in found.calls if not each.hit)
    assert reported == sum((Counter({each.name: each.traces}) for each in counted), Counter())
