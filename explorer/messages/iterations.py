"""Curves: arrays over the iterations of a loop or the calls of a jitted function, and where NaN or inf begins."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from explorer.messages.basics import Array, Span
from explorer.text.text import NOTHING, Text

LOOPS = ("scan", "while")
"""The primitives of loops."""
CALLS = "calls"
"""`primitive` of a Python loop that calls a jitted function."""
COLLECTED = "append"
"""`primitive` of a Python loop that appends numbers to lists."""


class Curve(msgspec.Struct, frozen=True):
    """One array of a loop: for each point its finite elements in four numbers, and the count of the others.

    Complex numbers count as their magnitudes.
    """

    role: Literal["carry", "output", "value"]
    """A value is an output of an equation inside the loop."""
    name: str
    """As in the code, ``params['w']``, or else as in the program: ``c``."""
    type: str
    """Its type in one iteration, in JAX's notation: ``f32[3]``."""
    equation: int
    """Index of the Program's equation that makes it, or of the first one of the body; -1 for an empty body."""
    size: int
    """Number of elements."""
    mean: Array
    """float64[points], as are the next three; NaN where no element is finite."""
    least: Array
    most: Array
    norm: Array
    """The square root of the sum of squares."""
    not_finite: Array
    """int64[points]: number of elements that are NaN or infinite."""
    first_not_finite: int = -1
    """The first of all iterations with such an element, from 0; -1 for none."""


class Iterations(msgspec.Struct, frozen=True):
    """The carry and the outputs of a loop, or one equation inside, after each iteration for the current inputs."""

    primitive: str
    """``scan``, ``while``, CALLS or COLLECTED: then each call, or number, is an iteration."""
    length: int
    """Number of iterations."""
    around: int
    """Number of loops around this one; their iterations are fixed."""
    numbers: Array
    """int64[points]: the iteration of each point, from 0; in a long loop the last one of each stride."""
    curves: tuple[Curve, ...] = ()
    left_out: int = 0
    """Number of further arrays."""
    first_not_finite: int = -1
    """The first iteration in which any of the curves has a NaN or infinity; -1 for none."""
    origin: int = -1
    """Index of the equation that makes it there from finite operands; -1 if no equation does."""
    sentence: Text = NOTHING
    """Reason for missing curves."""

    @property
    def stride(self) -> int:
        """Number of iterations from point to point."""
        return int(self.numbers.numpy()[0]) + 1 if self.numbers.shape[0] else 1

    def as_json(self) -> dict[str, Any]:
        """Return the curves for scripts: iterations from 0, and None where there is no number."""
        return {
            "loop": self.primitive,
            "length": self.length,
            "iterations": self.numbers.numpy().tolist(),
            "first_not_finite": self.first_not_finite if self.first_not_finite >= 0 else None,
            "curves": [_curve(each) for each in self.curves],
        }


class Cause(msgspec.Struct, frozen=True):
    """The operation that made the first NaN or infinity of a function's calls, from a second evaluation of one call."""

    call: int
    """The call that was evaluated, from 0: the first bad one, or the one before if that returned the bad argument."""
    sentence: Text
    """The operation with its operands, or the reason why it is not known."""
    span: Span | None = None
    """The operation in user code; None if it is not known."""

    def as_json(self) -> dict[str, Any]:
        """Return the cause for scripts."""
        place = (self.span.line, self.span.file) if self.span is not None else (None, None)
        return {"call": self.call, "line": place[0], "file": place[1], "message": str(self.sentence)}


class Calls(msgspec.Struct, frozen=True):
    """The numbers that a jitted function returned to one place in user code, over its calls."""

    function: str
    path: tuple[Span, ...]
    """The calls in user code that lead there, outermost first; the last one is that of the function."""
    iterations: Iterations
    cause: Cause | None = None
    """None if all values are finite, or the program still runs."""

    @property
    def span(self) -> Span:
        """The call of the function."""
        return self.path[-1]

    @property
    def cause_line(self) -> int:
        """The line that made the first NaN or infinity, in the program that is shown; 0 if it is not known."""
        span = self.cause.span if self.cause is not None else None
        return span.shown_line if span is not None else 0

    def as_json(self) -> dict[str, Any]:
        """Return the curves for scripts, with the lines of the calls in user code, outermost first."""
        return {
            "function": self.function,
            "line": self.span.line,
            "lines": [each.line for each in self.path],
            "files": [each.file for each in self.path],
            "cause": self.cause.as_json() if self.cause is not None else None,
            **self.iterations.as_json(),
        }


def _curve(curve: Curve) -> dict[str, Any]:
    numbers = {name: getattr(curve, name).numpy().tolist() for name in ("mean", "least", "most", "norm")}
    return {
        "role": curve.role,
        "name": curve.name,
        "type": curve.type,
        **{name: [each if each == each else None for each in values] for name, values in numbers.items()},
        "not_finite": curve.not_finite.numpy().tolist(),
        "first_not_finite": curve.first_not_finite if curve.first_not_finite >= 0 else None,
    }
