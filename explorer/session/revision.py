"""Revision numbers of code and controls: comparing them shows what is stale."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Revision:
    """A state of the code and the controls: per kind of answer, the number of the last change that affects it.

    Requests carry the revision that they were made from, results the one that they answer. Numbers only grow, so equal
    numbers stand for equal states.
    """

    everything: int = 0
    """Grows with each change and each request: it is the number of a Request for everything."""
    texts: int = 0
    """For the program texts; also the number of a request for these alone."""
    results: int = 0
    """For the keys, the noise and the times."""
    findings: int = 0
    """For the findings: it changes with the results, and further checks answer it later."""

    def changed(self, number: int, *, texts: bool, results: bool) -> Revision:
        """Return the state after change `number`, which matters to `texts`, to `results`, to both or to neither."""
        return Revision(number, number if texts else self.texts, *2 * [number if results else self.results])
