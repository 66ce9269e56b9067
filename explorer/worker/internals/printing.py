"""JAX's own text of a jaxpr with the equation behind each line: the one home of JAX's private printer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, NamedTuple, cast

from jax._src import core, pretty_printer
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxprs_in_params

from explorer.worker.internals.spans import Position

LINE_BREAK = "\ufdd0"
"""A character that no text contains."""


class PrintedEquation(NamedTuple):
    """One equation and the lines of the text that it takes, counted from 0, both included."""

    equation: JaxprEqn
    first_line: int
    last_line: int


def printed(jaxpr: ClosedJaxpr) -> tuple[str, list[PrintedEquation]]:
    """Return ``str(jaxpr)`` and its equations in the order of the text.

    An equation inside another stands after it. A jaxpr that is used in several places is printed once, so its
    equations are listed once. The printer tells which text belongs to which "source"; while it runs, the
    equation itself takes the place of its traceback.
    """
    text, regions = _printed(jaxpr)
    breaks = [0] * (len(regions) + 1)
    if text.count("\n") >= len(regions):
        # The printer counts a line break in a string of the user's as a letter.
        with _line_breaks_marked():
            marked, regions = _printed(jaxpr)
        breaks = list(accumulate((line.count(LINE_BREAK) for line in marked.split("\n")), initial=0))
    lines: dict[int, list[Any]] = {}
    for number, line in enumerate(regions):
        for _, _, equation in line:
            last = number + breaks[number + 1]
            lines.setdefault(id(equation), [equation, number + breaks[number], last])[2] = last
    return text, [PrintedEquation(*each) for each in lines.values()]


def equations_printed(jaxpr: ClosedJaxpr) -> list[JaxprEqn]:
    """Return the equations of ``str(jaxpr)`` in the order of the text; without one inside another that is their own."""
    if not any(True for each in jaxpr.jaxpr.eqns for _ in jaxprs_in_params(each.params)):
        return list(jaxpr.jaxpr.eqns)
    return [each.equation for each in printed(jaxpr)[1]]


def names(jaxpr: ClosedJaxpr) -> dict[int, tuple[list[str], list[str]]]:
    """Return by identity of each equation the names of what it binds and of what it reads, as the text has them."""
    found: dict[int, tuple[list[str], list[str]]] = {}

    def note(equation: JaxprEqn, context: Any) -> None:
        found[id(equation)] = (
            [str(core.pp_var(each, context)) for each in equation.outvars],
            [str(core.pp_var(each, context)) for each in equation.invars],
        )

    with _equations_as_sources(note):
        cast(Any, jaxpr).pretty_print(use_color=False, source_map=[])
    return found


def _printed(jaxpr: ClosedJaxpr) -> tuple[str, list[list[tuple[int, int, JaxprEqn]]]]:
    """Return the text and for each line of the printer (first column, end column, equation)."""
    regions: list[list[tuple[int, int, JaxprEqn]]] = []
    with _equations_as_sources():
        text: str = cast(Any, jaxpr).pretty_print(use_color=False, source_map=regions)
    return text, regions


def positions(equation: JaxprEqn) -> Iterator[Position]:
    """Return where `equation` was traced, innermost first."""
    traceback = equation.source_info.traceback
    return zip(*traceback.raw_frames(), strict=True) if traceback is not None else iter(())


@contextmanager
def _line_breaks_marked() -> Iterator[None]:
    """Print LINE_BREAK for each line break in a string; it is as wide for the printer, so the lines stay the same."""
    printer: Any = pretty_printer
    original = printer.text

    def text(text: str, *arguments: Any, **named: Any) -> Any:
        return original(text.replace("\n", LINE_BREAK), *arguments, **named)

    printer.text = text
    try:
        yield
    finally:
        printer.text = original


@contextmanager
def _equations_as_sources(note: Callable[[JaxprEqn, Any], None] | None = None) -> Iterator[None]:
    printer: Any = core
    original = printer.pp_eqn

    def pp_eqn(equation: JaxprEqn, context: Any, settings: Any) -> Any:
        rule = printer.pp_eqn_rules.get(equation.primitive, printer._pp_eqn)
        document = rule(equation, context, settings)
        if note is not None:
            # Only now: names are given out in the order of printing.
            note(equation, context)
        return pretty_printer.source_map(document, equation)

    printer.pp_eqn = pp_eqn
    try:
        yield
    finally:
        printer.pp_eqn = original
