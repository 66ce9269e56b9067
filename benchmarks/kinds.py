"""Small programs for each kind of finding except keys, broken or sound, checked by ours and by JAX's flags.

The expected findings are written at their lines, in ``tests/corpus``.
"""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Program = Callable[[], Any]
Asked = Callable[[Program], bool]
"""Runs a program, and returns whether the flag objects."""

_COMPILING = re.compile(r"Compiling (?:jit\()?(\S+?)\)? with global shapes")
OFTEN = 3
"""Compiles of one name that count as an objection."""


@dataclass(frozen=True)
class Kind:
    """Programs of one kind of finding, and the flag of JAX's for it."""

    name: str
    flag: str
    """Empty where JAX has none."""
    ask: Asked | None
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Case:
    """A program, and our findings in it."""

    name: str
    is_broken: bool
    program: Program
    find: Callable[[], bool]
    """Returns whether we report it: a broken one by its kind at its line, a sound one by more than is written there."""


@dataclass(frozen=True)
class Row:
    """The results of a case; None for JAX where it has no flag, and ``fails`` where it cannot check."""

    kind: str
    case: Case
    ours: bool
    jaxs: bool | str | None

    def line(self) -> str:
        truth = "broken" if self.case.is_broken else "sound"
        cells = (_verdict(each, self.case) for each in (self.jaxs, self.ours))
        return f"{self.kind:14} {self.case.name:58} {truth:7} " + " ".join(f"{cell:22}" for cell in cells).rstrip()


def is_missed(answer: bool | str | None, case: Case) -> bool:
    return case.is_broken and answer is not True and answer is not None


def is_false_alarm(answer: bool | str | None, case: Case) -> bool:
    return not case.is_broken and answer is True


def _verdict(answer: bool | str | None, case: Case) -> str:
    words = (
        {True: "told", False: "silent", None: "no flag"}.get(answer, answer) if not isinstance(answer, str) else answer
    )
    if is_missed(answer, case):
        return f"{words} (missed)"
    return f"{words} (false alarm)" if is_false_alarm(answer, case) else str(words)


# -- what JAX says ----------------------------------------------------------------------------


def _raises(words: str, context: Callable[[], contextlib.AbstractContextManager[object]]) -> Asked:
    """Return a function that runs a program in `context` and returns whether an error with `words` is raised."""

    def ask(program: Program) -> bool:
        import jax

        try:
            with context():
                jax.block_until_ready(jax.tree.leaves(program()))
        except Exception as error:
            if words in f"{type(error).__name__}: {error}":
                return True
            raise
        return False

    return ask


def _compiles_often(program: Program) -> bool:
    """Return whether JAX logs three or more compiles of one function name."""
    import jax

    names: Counter[str] = Counter()

    class Counting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found = _COMPILING.search(record.getMessage())
            names.update([found[1]] if found else [])

    logger, handler = logging.getLogger("jax"), Counting()
    before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        with jax.log_compiles():
            program()
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
    return max(names.values(), default=0) >= OFTEN


def _index_checks(program: Program) -> bool:
    from jax.experimental import checkify

    error, _ = checkify.checkify(program, errors=checkify.index_checks)()
    return error.get() is not None


def _warns(program: Program) -> bool:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        program()
    return any("requested dtype" in str(each.message) or "overflow" in str(each.message) for each in shown)


# -- the programs -----------------------------------------------------------------------------


def kinds() -> Iterator[Kind]:
    """Yield each kind with its programs."""
    import jax

    leaks = _raises("Leaked", jax.checking_leaks)
    yield Kind("host-random", "", None, _cases("host-random"))
    yield Kind("host-state", "", None, _cases("host-state"))
    yield Kind("leaked-tracer", "jax_check_tracer_leaks", leaks, _cases("leaked-tracer"))
    yield Kind("recompiles", "jax_log_compiles", _compiles_often, _cases("recompiles"))
    yield Kind("out-of-bounds", "checkify.index_checks", _index_checks, _cases("out-of-bounds"))
    nans = _raises("FloatingPointError", lambda: jax.debug_nans(True))
    yield Kind("nan", "jax_debug_nans", nans, _cases("nan"))
    yield Kind("nan", "jax_debug_nans and _infs", _raises("FloatingPointError", _both), _cases("nan"))
    yield Kind("silent-cast", "UserWarning", _warns, _cases("silent-cast"))
    reuse = _raises("KeyReuseError", lambda: jax.debug_key_reuse(True))
    yield Kind("unused-key", "jax_debug_key_reuse", reuse, _cases("unused-key"))


@contextlib.contextmanager
def _both() -> Iterator[None]:
    import jax

    with jax.debug_nans(True), jax.debug_infs(True):
        yield


def _cases(kind: str) -> tuple[Case, ...]:
    """Return the cases of `kind` in the corpus."""
    from explorer.worker.code import calls, trees
    from tests.corpus import cases

    def run(case: cases.Case) -> Any:
        return trees.waited_for(calls.call(case.function(), {}))

    def find(case: cases.Case) -> bool:
        found = cases.reported(case)
        if case.is_broken:
            return {each for each in case.marks if each[1].endswith(kind)} <= found
        return any(not mark.startswith("note") for _, mark in found - case.marks)

    return tuple(
        Case(each.name.replace("_", " "), each.is_broken, functools.partial(run, each), functools.partial(find, each))
        for each in cases.cases(kind)
    )


# -- asking -----------------------------------------------------------------------------------


def of_jax(kind: Kind) -> list[bool | str | None]:
    """Return the answers of JAX's flag to every program of `kind`, before ours patches JAX."""
    return [_quietly(each.program, kind.ask) for each in kind.cases]


def rows(kind: Kind, answer: list[bool | str | None]) -> list[Row]:
    """Return our findings for every program of `kind`, next to the `answer` of JAX."""
    with _silence():
        return [Row(kind.name, each, each.find(), jaxs) for each, jaxs in zip(kind.cases, answer, strict=True)]


def _quietly(program: Program, ask: Asked | None) -> bool | str | None:
    import jax

    if ask is None:
        return None
    jax.clear_caches()
    try:
        with _silence():
            return ask(program)
    except Exception:  # what it cannot look at
        return "fails"


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def counts(kind: Kind, table: list[Row]) -> str:
    """Return a line of the table of all kinds."""
    broken = sum(each.case.is_broken for each in table)
    ours = _missed_and_alarms([(row.ours, row.case) for row in table])
    jaxs = _missed_and_alarms([(row.jaxs, row.case) for row in table]) if kind.flag else f"{'-':>7} {'-':>13}"
    return f"{kind.name:14} {broken:6} {len(table) - broken:6} {ours} {jaxs}   {kind.flag or 'JAX has none'}"


def _missed_and_alarms(answer: list[tuple[bool | str | None, Case]]) -> str:
    return f"{sum(is_missed(*each) for each in answer):7} {sum(is_false_alarm(*each) for each in answer):13}"


_COLUMNS = " ".join([f"{'missed':>7} {'false alarms':>13}"] * 2)
HEAD = f"{'kind':14} {'broken':>6} {'sound':>6} {_COLUMNS}   flag"
