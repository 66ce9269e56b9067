"""Intended misuse, marked by a comment on a line or by the scenario's plan for a variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Place, Span
from explorer.text.text import say
from explorer.worker.lineage.key_uses import KeyLedger
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
