"""Watches a run for parameters whose gradient is 0 whatever the values: by flat operations or `stop_gradient`."""

from __future__ import annotations

import linecache
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import Text, joined, say
from explorer.worker.internals import traces, zero_gradients
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.internals.zero_gradients import Source, ZeroGradient
from explorer.worker.syntax.code_tree import is_quotable

KIND = "no-gradient"
MOST_INPUTS = 3
"""Maximum number of names in a sentence."""
_ASKS = ("value_and_grad_f", "vjp", "_vjp")
"""JAX's functions that call the one whose gradient is taken."""


class Watch:
    """Watches one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._found: dict[tuple[_Place, bool], dict[str, None]] = defaultdict(dict)
        """The inputs that lose their slope at a place, by whether it is a ``stop_gradient``."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Record the gradients in the block that are 0."""
        return zero_gradients.watching(self._look)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each place."""
        return [_finding(place, is_stopped, list(inputs)) for (place, is_stopped), inputs in self._found.items()]

    def _look(self, found: list[ZeroGradient]) -> None:
        placed = [(place, each) for each in found if (place := self._place(each.source)) is not None]
        if len(placed) < len(found):
            # Something else has a part in it that the user has not written.
            return
        seen: set[str] = set()
        for place, each in sorted(placed, key=lambda pair: pair[0].span.line):
            here = [name for name in each.inputs if name not in seen]
            if here:
                self._found[place, each.is_stopped].update(dict.fromkeys(here))
            seen.update(here)

    def _place(self, source: Source) -> _Place | None:
        """Return where in the function whose gradient is taken the user asks for what is at `source`."""
        for code, at in (frame for each in source for frame in zip(*each.raw_frames(), strict=True)):
            if self._is_user_code(code.co_filename):
                span = self._spans.span(code, at)
                return _Place(span, code.co_filename) if span is not None else None
            if code.co_name in _ASKS and code.co_filename == traces.TRANSFORMS:
                return None
        return None


class _Place(msgspec.Struct, frozen=True):
    span: Span
    filename: str


def _finding(place: _Place, is_stopped: bool, inputs: list[str]) -> Finding:
    span = place.span
    text = linecache.getline(place.filename, span.line)[span.column : span.end_column]
    is_short = is_quotable(span, text)
    code: Text | str = f"`{text}`" if is_short else say("the expression")
    parts: dict[str, object] = {"inputs": _listed(inputs), "code": code, "line": span.line}
    if is_stopped:
        message = say(
            "The gradient of {inputs} is 0, whatever the values are: {code} on line {line} stops all of it. Leave the "
            "path that should learn outside of stop_gradient.",
            **parts,
        )
    else:
        message = say(
            "The gradient of {inputs} is 0, whatever the values are: the result depends on it only through {code} on "
            "line {line}, which is flat between its steps. Use a smooth function, or let the gradient pass straight "
            "through: x + stop_gradient(round(x) - x); if it should not learn, say so with stop_gradient.",
            **parts,
        )
    return Finding(KIND, "warning", message, (span,), lesson=lesson_of(KIND))


def _listed(inputs: list[str]) -> Text:
    named = joined(", ", [f"`{each}`" for each in inputs[:MOST_INPUTS]])
    if len(inputs) <= MOST_INPUTS:
        return named
    return say("{names} and {count} more", names=named, count=len(inputs) - MOST_INPUTS)
