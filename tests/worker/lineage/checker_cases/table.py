"""A table of small programs with known results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.messages import Finding

_CLAIMS = {"key-reuse": "reuse", "shared-noise": "shared"}

Program = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """A program that uses random keys, and its correct result."""

    program: Program
    truth: str
    """``ok``, ``reuse`` (a key is used twice), ``shared`` (examples share a key), or ``reuse and shared``."""
    restates: str = ""
    """Which tests of JAX's own ask the same."""
    devices: int = 1
    """The number of devices that the result needs."""
    shares: tuple[int, int, int] | None = None
    """Along which axis how many examples share how many distinct keys, where that is asked."""
    at: tuple[str, ...] = ()
    """The code of each use of the key that is used twice, where that is asked."""
    notes: tuple[str, ...] = ()
    """The kinds of the findings at level note."""

    @property
    def name(self) -> str:
        return self.program.__name__.replace("_", " ").strip()


class CaseTable:
    """Programs in the order in which they are written, each under its truth."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def case(self, truth: str, restates: str = "", **facts: Any) -> Callable[[Program], Program]:
        """Return a decorator that adds a function without arguments to the table, and leaves it as it is."""

        def add(program: Program) -> Program:
            self.cases.append(Case(program, truth, restates, **facts))
            return program

        return add


def verdict(findings: tuple[Finding, ...]) -> str:
    """Return the claim of `findings` in the terms of a result; notes claim nothing."""
    claims = {_CLAIMS[finding.kind] for finding in findings if finding.level == "bug"}
    return " and ".join(sorted(claims)) or "ok"
