"""Revision numbers of code and controls: comparing them shows what is stale."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Revision:
    """A state of the code and the controls: for each kind of answer the number of the last change that matters to it.

    What is asked for carries the revision that it was made of, what is shown the one that it answers. Numbers only
    grow, so that two that are the same stand for the same state.
    """

    everything: int = 0
    """Grows with each change and each request: this is the number of a Request that carries all of it."""
    texts: int = 0
    """Of what the program texts depend on: also the number of a request for these alone."""
    results: int = 0
    """Of what the keys, the noise, the findings and the times depend on."""

    def changed(self, number: int, *, texts: bool, results: bool) -> Revision:
        """Return the state after change `number`, which matters to `texts`, to `results`, to both or to neither."""
        return Revision(number, number if texts else self.texts, number if results else self.results)
