"""Keys that a test makes from its own seed and reuses itself: often intended, for inputs and samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import dropwhile, takewhile

import msgspec
import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.messages import Span
from explorer.worker.lineage.lineage import Lineage

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
