"""JAX's own text of a jaxpr, with the equation behind each line; the names of each equation's variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, NamedTuple, cast

from jax._src import core, pretty_printer
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxprs_in_params

from explorer.worker.internals.guard import replaced
from explorer.worker.internals.spans import Position

LINE_BREAK = "\ufdd0"
"""A Unicode noncharacter, which no text contains."""


class PrintedEquation(NamedTuple):
    """One equation and its lines in the text, from 0, both inclusive."""

    equation: JaxprEqn
    first_line: int
    last_line: int


def printed(jaxpr: ClosedJaxpr) -> tuple[str, list[PrintedEquation]]:
    """Return ``str(jaxpr)`` and its equations in the order of the text.

    A nested equation follows the outer one. A jaxpr that is used several times is printed once, so its equations appear
    once. The printer maps text to "sources"; here the source is the equation instead of its traceback.
    """
    text, regions = _printed(jaxpr)
    breaks = [0] * (len(regions) + 1)
    if text.count("\n") >= len(regions):
        # The printer counts a line break inside a user's string as a letter.
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
    """Return the equations of ``str(jaxpr)`` in the order of the text."""
    if not any(True for each in jaxpr.jaxpr.eqns for _ in jaxprs_in_params(each.params)):
        return list(jaxpr.jaxpr.eqns)
    return [each.equation for each in printed(jaxpr)[1]]


def names(jaxpr: ClosedJaxpr) -> dict[int, tuple[list[str], list[str]]]:
    """Return (names of outputs, names of operands) in the text, by id of each equation."""
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
    """Return the text and, for each printed line, tuples (first column, end column, equation)."""
    regions: list[list[tuple[int, int, JaxprEqn]]] = []
    with _equations_as_sources():
        text: str = cast(Any, jaxpr).pretty_print(use_color=False, source_map=regions)
    return text, regions


def positions(equation: JaxprEqn) -> Iterator[Position]:
    """Return the positions at which `equation` was traced, innermost first."""
    traceback = equation.source_info.traceback
    return zip(*traceback.raw_frames(), strict=True) if traceback is not None else iter(())


@contextmanager
def _line_breaks_marked() -> Iterator[None]:
    """Print LINE_BREAK for each line break in a string; the printed width is unchanged, so the layout is, too."""
    original: Any = pretty_printer.text

    def text(text: str, *arguments: Any, **named: Any) -> Any:
        return original(text.replace("\n", LINE_BREAK), *arguments, **named)

    with replaced(pretty_printer, "text", text):
        yield


@contextmanager
def _equations_as_sources(note: Callable[[JaxprEqn, Any], None] | None = None) -> Iterator[None]:
    printer: Any = core

    def pp_eqn(equation: JaxprEqn, context: Any, settings: Any) -> Any:
        rule = printer.pp_eqn_rules.get(equation.primitive, printer._pp_eqn)
        document = rule(equation, context, settings)
        if note is not None:
            # Only now: the printer assigns names in printing order.
            note(equation, context)
        return pretty_printer.source_map(document, equation)

    with replaced(printer, "pp_eqn", pp_eqn):
        yield
