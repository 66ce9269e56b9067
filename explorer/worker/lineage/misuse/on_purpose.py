"""Reuse that is meant: marked by a comment or the lesson's sheet, made by the sections of a script, or by a test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import dropwhile, takewhile

import msgspec
import numpy as np

from explorer.diagnostics.registry import lesson_of
from explorer.figures.equal_rows import Integers
from explorer.messages import Finding, Place, Span
from explorer.text.text import say
from explorer.worker.lineage.key_uses import KeyLedger, KeyOperation
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse.reuse_causes import ReuseCause
from explorer.worker.lineage.misuse.routes import Path
from explorer.worker.lineage.misuse.site_description import PlaceDescriber


class IntendedReuse(msgspec.Struct):
    """Decides for each finding of a run whether it is intended, and lists the comments without effect."""

    book: KeyLedger
    declared: bool
    """Whether the scenario declares all of it as intended."""
    needed: set[Span] = set()
    """The comments that applied to a finding."""

    def __call__(self, places: Sequence[Place]) -> bool:
        """Return whether the sharing or reuse at `places` is intended."""
        marked = [place for place in places if self._comments(place.span)]
        for place in marked:
            self.needed |= self._comments(place.span)
        return self.declared or self._applies(places, marked)

    def looks_so(self, places: Sequence[Place]) -> bool:
        """Return whether the code at `places` looks as if the reuse was intended."""
        alike = self.book.call_roles.get("meant", frozenset())
        return self._applies(places, [place for place in places if place.span in alike])

    def _applies(self, places: Sequence[Place], marked: Sequence[Place]) -> bool:
        """Return whether a `marked` place makes or shares the keys, or all but the one regular place that uses them."""
        roles, here = [place.role for place in marked], [place.role for place in places]
        but = 0 if "shared" in here else 1
        return not {"made", "shared"}.isdisjoint(roles) or any(
            0 < roles.count(each) >= here.count(each) - but for each in ("passed", "spent")
        )

    def _comments(self, span: Span) -> set[Span]:
        lines = range(span.line, span.end_line + 1)
        return {each for each in self.book.marked if each.file == span.file and each.line in lines}

    def in_vain(self, at: PlaceDescriber) -> Iterator[Finding]:
        """Yield a note for each comment on a line without any sharing or reuse."""
        vain = self.book.marked - self.book.marked_before - self.needed
        for span in sorted(vain, key=lambda each: (each.file, each.line)):
            message = say(
                "{line} says “on purpose”, but in this run nothing is shared or used again there.",
                line=at.line(span, begins=True),
            )
            yield Finding("unneeded-mark", "note", message, (span,), lesson=lesson_of("unneeded-mark"))


# -- the sections of a script ----------------------------------------------------------------------------------------


SECTION_LINES = 10
"""Seeds at module level that are further apart belong to different parts of a program."""
MANY_SECTIONS = 4
"""Number of lines that start from one seed; with so many it is the program's custom..."""
CUSTOM_LINES = 5
"""... if every second of them is further than this from the one before."""


class ScriptSections:
    """Answers for the causes in a program whether the parts of the script start from one seed."""

    def __init__(self, known: Lineage, found: Iterable[ReuseCause]) -> None:
        self._known = known
        self._is_custom = any(_is_custom(self._makers(cause)) for cause in found)

    def __call__(self, cause: ReuseCause) -> bool:
        """Return whether each place makes its keys once, and the places are far apart or it is the program's custom."""
        makers = self._makers(cause)
        return bool(makers) and (self._is_custom or _are_apart(makers))

    def _makers(self, cause: ReuseCause) -> list[KeyOperation]:
        """Return the makers of the keys if all make them from seeds, and none makes a key again."""
        makers = [self._known.book.uses[number] for number in cause.makings]
        seeds = [uses.made for uses in makers if uses.event.operation == "seed" and uses.made is not None]
        once = len(seeds) == len(makers) and all(np.unique(made).size == made.size for made in seeds)
        return makers if cause.kind == "made" and once else []


def _is_custom(makers: Iterable[KeyOperation]) -> bool:
    paths = _paths(makers)
    return len({path[-1] for path in paths}) >= MANY_SECTIONS and bool(np.median(_gaps(paths)) > CUSTOM_LINES)


def _are_apart(makers: Iterable[KeyOperation]) -> bool:
    """Return whether each has a place of its own, far from the others, two or more of them at module level."""
    paths = _paths(makers)
    if len({path[-1] for path in paths}) < len(paths) or sum(len(path) == 1 for path in paths) < 2:
        return False
    return bool(_gaps(paths).min() > SECTION_LINES)


def _paths(makers: Iterable[KeyOperation]) -> set[Path]:
    return {uses.call_site.path for uses in makers if uses.call_site.path}


def _gaps(paths: Iterable[Path]) -> Integers:
    """Return the numbers of lines between those that the script itself was at when the keys were made."""
    return np.diff(sorted(path[0].line for path in paths))


# -- tests -----------------------------------------------------------------------------------------------------------


OfTests = Callable[[str], bool]
"""Return whether a file contains tests."""


class ReusedByTest(msgspec.Struct, frozen=True):
    """Predicate for reuse by a test itself, not by the code under test."""

    known: Lineage
    is_test: OfTests | None
    """None if the program is no test."""

    def __call__(self, makings: Iterable[int], uses: Sequence[int], keys: Integers, *, made_again: bool) -> bool:
        """Return whether tests make `keys` from a seed, in the uses `makings`, and reuse them themselves, in `uses`.

        `made_again`: each use has its own seed in the code of a test. A key without a maker existed before the test: a
        fixture, the class or the module of the test made it. The code under test may make the key of that seed, too.
        """
        if self.is_test is None:
            return False
        makers = [self.known.book.uses[number] for number in makings]
        of_tests = [self._is_in_test(each.call_site.span) for each in makers]
        if not all(each.event.operation == "seed" for each in makers) or (makers and not any(of_tests)):
            return False
        return (made_again and all(of_tests)) or not self._is_again_in_one_call(uses, keys)

    def _is_again_in_one_call(self, uses: Sequence[int], keys: Integers) -> bool:
        """Return whether one call in a test may lead other code to use one of `keys` more than once."""
        calls = list(map(self._call, uses))
        numbers = {call: number for number, call in enumerate(dict.fromkeys(calls))}
        of_use = np.full(len(self.known.book.uses), -1)
        for use, call in zip(uses, calls, strict=True):
            # Operations of the test itself are visible to its author.
            of_use[use] = -1 if call == self.known.book.uses[use].call_site.path else numbers[call]
        spent = [np.unique(self.known.book.uses[use].spent) for use in uses]
        consumed = self.known.consumed
        rows = np.concatenate(
            [
                np.stack([consumed.keys, of_use[consumed.use]])[:, np.isin(consumed.use, list(uses))],
                # Folding data into a key does not consume it.
                *(
                    np.stack([own, np.full(len(own), of_use[use])])
                    for use, own in zip(uses, spent, strict=True)
                    if self.known.book.uses[use].event.operation == "fold_in"
                ),
            ],
            axis=1,
        )
        rows = rows[:, (rows[1] >= 0) & np.isin(rows[0], keys)]
        return bool(rows.size) and bool(np.unique(rows, axis=1, return_counts=True)[1].max() > 1)

    def _call(self, use: int) -> tuple[Span, ...]:
        """Return the part of the path to `use` that lies in test code."""
        path = dropwhile(lambda span: not self._is_in_test(span), self.known.book.uses[use].call_site.path)
        return tuple(takewhile(self._is_in_test, path))

    def _is_in_test(self, span: Span | None) -> bool:
        return span is not None and self.is_test is not None and self.is_test(span.file)
