"""Tables of small programs, broken or sound, with the expected findings about their values."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.messages import Finding
from explorer.worker.checks.values import findings, watch

Program = Callable[[], Any]
HERE = "# here"
"""Ends the line that a finding is about."""


@dataclass(frozen=True)
class Broken:
    """A program with one thing wrong."""

    program: Program
    words: tuple[str, ...]
    """Words that the message must contain."""

    @property
    def line(self) -> int:
        """The line that ends with HERE."""
        lines, first = inspect.getsourcelines(self.program)
        return first + next(place for place, line in enumerate(lines) if line.rstrip().endswith(HERE))


class Table:
    """Programs in the order in which they are written; decorators add them."""

    def __init__(self) -> None:
        self.all_broken: list[Broken] = []
        self.all_sound: list[Program] = []

    def broken(self, *words: str) -> Callable[[Program], Program]:
        def add(program: Program) -> Program:
            self.all_broken.append(Broken(program, words))
            return program

        return add

    def sound(self, program: Program) -> Program:
        self.all_sound.append(program)
        return program

    def add(self, other: Table) -> None:
        """Add the programs of `other`."""
        self.all_broken += other.all_broken
        self.all_sound += other.all_sound


def found(program: Program) -> list[Finding]:
    """Return the findings of a run of `program`, whose file counts as user code."""
    filename = program.__code__.co_filename
    with watch.watched(lambda name: name == filename) as log:
        outputs = program()
    log.comes_out(outputs)
    assert log.guard.error is None
    return list(findings.value_findings(log))


def alarms(program: Program) -> list[str]:
    """Return the messages about `program` at level bug or warning."""
    return [f"line {each.line}: {each.message}" for each in found(program) if each.level != "note"]


def assert_found(case: Broken, kind: str, level: str) -> None:
    """Assert that one finding of `kind`, and nothing else, is reported at the right line with the right values."""
    serious = [each for each in found(case.program) if each.level != "note"]
    assert [(each.kind, each.level, each.line) for each in serious] == [(kind, level, case.line)], serious
    for words in case.words:
        assert words in str(serious[0].message)
