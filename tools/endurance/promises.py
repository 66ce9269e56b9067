"""The promises, the measurements, and the cases in which a promise broke."""

from __future__ import annotations

import faulthandler
import sys
import time
from array import array
from dataclasses import dataclass, field
from pathlib import Path

from tools.endurance.back_row.options import Grid

MOST_HOLDS, MOST_CALLS = 12, 5
"""The most stacks of delays that are reported, and the most calls of each."""
REPORTED_AFTER = 100
"""Cases from one report of the figures so far to the next."""
BLOCKED_S = 120.0
"""Seconds after which a blocked window is given up: its stack is reported, and the run ends."""


@dataclass
class Figure:
    """One promise as a figure: the worst value, or a percentile, compared with a limit."""

    name: str
    limit: float
    unit: str = ""
    values: array[float] = field(default_factory=lambda: array("d"))
    """An array, so that the values do not count as memory of the window in a long run."""
    percentile: float = 100.0

    def add(self, value: float) -> None:
        self.values.append(value)

    @property
    def reached(self) -> float | None:
        """The value at the percentile of the promise; None without measurements."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(len(ordered) * self.percentile / 100))] if ordered else None

    @property
    def is_met(self) -> bool:
        return self.reached is None or self.reached <= self.limit

    def __str__(self) -> str:
        reached = "not measured" if self.reached is None else f"{self.reached:.4g} {self.unit}".strip()
        of = f"{len(self.values)} values" if len(self.values) != 1 else "1 value"
        verdict = "kept" if self.is_met else "BROKEN"
        return f"{verdict:>6}  {self.name}: {reached}, promised at most {self.limit:.4g} {self.unit} ({of})"


class Record:
    """The results of a run.

    Attributes:
        runs: how many cases were tried.
        broken: what went wrong, by kind, how often.
    """

    def __init__(self, kind: str, seed: int, minutes: float, folder: Path) -> None:
        self.kind, self.seed, self.minutes = kind, seed, minutes
        self.runs = 0
        self.cases: list[Path] = []
        """Files to try again, instead of new cases."""
        self.grid = Grid()
        self.broken: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        """Counts of other observations, to show that the cases are varied."""
        self._figures: dict[str, Figure] = {}
        self._holds: dict[str, array[float]] = {}
        self._folder = folder
        self._start = time.monotonic()

    def goes_on(self, most: int = sys.maxsize) -> bool:
        """Return whether there is time for one more case, of `most`."""
        return self.runs < most and time.monotonic() - self._start < self.minutes * 60

    def begin(self, case: str) -> None:
        """Note that `case` begins, so that it can be found if it blocks the window forever."""
        self.runs += 1
        self.watch(case)
        if self.runs % REPORTED_AFTER == 0:
            sys.stderr.write(f"{self}\n")

    def watch(self, case: str) -> None:
        """Note that `case`, a part of the current one, has its own time limit from now on."""
        self._folder.mkdir(parents=True, exist_ok=True)
        current = self._folder / f"{self.kind}-{self.seed}-at-work.py"
        current.write_bytes(case.encode(errors="surrogatepass"))
        faulthandler.dump_traceback_later(BLOCKED_S, exit=True)

    def figure(self, name: str, limit: float, unit: str = "", percentile: float = 100.0) -> Figure:
        """Return the figure `name`, which is made when it is asked for first."""
        return self._figures.setdefault(name, Figure(name, limit, unit, [], percentile))

    def count(self, what: str) -> None:
        self.seen[what] = self.seen.get(what, 0) + 1

    def note_hold(self, seconds: float, stack: tuple[str, ...]) -> None:
        """Note that `stack` delayed the event loop for `seconds`."""
        place = " < ".join(each.split()[-1] for each in stack[:MOST_CALLS]) or "no Python"
        self._holds.setdefault(place, array("d")).append(seconds)

    def fail(self, kind: str, words: str, case: str | bytes, suffix: str = ".py") -> Path:
        """Note that a promise broke by `case`, and save that as a file that reproduces it."""
        self.broken[kind] = self.broken.get(kind, 0) + 1
        file = self.save(kind, case, suffix)
        sys.stderr.write(f"{kind}: {words}\n    saved as {file}\n")
        return file

    def save(self, kind: str, case: str | bytes, suffix: str = ".py") -> Path:
        """Save `case` for later, and return its path."""
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{self.kind}-{self.seed}-{self.runs}-{kind.replace(' ', '-')}{suffix}"
        file.write_bytes(case if isinstance(case, bytes) else case.encode(errors="surrogatepass"))
        return file

    @property
    def in_time(self) -> bool:
        return all(figure.is_met for figure in self._figures.values())

    def __str__(self) -> str:
        lines = [
            f"{self.kind}: {self.runs} runs, seed {self.seed}, {(time.monotonic() - self._start) / 60:.1f} minutes"
        ]
        lines += [f"  {figure}" for figure in self._figures.values()]
        lines += [f"  BROKEN  {kind}: {count}" for kind, count in self.broken.items()]
        lines += [f"          {what}: {count}" for what, count in sorted(self.seen.items())]
        delays = sorted(self._holds.items(), key=lambda each: -sum(each[1]))
        lines += [
            f"          held {len(every)} times, for {1e3 * max(every):.0f} ms at most, by {place}"
            for place, every in delays[:MOST_HOLDS]
        ]
        return "\n".join(lines)
