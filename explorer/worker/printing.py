"""JAX's own text of a jaxpr with the equation behind each line: the one home of JAX's private printer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from jax._src import core, pretty_printer
from jax.extend.core import ClosedJaxpr, JaxprEqn

from explorer.worker.spans import Position


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
    regions: list[list[tuple[int, int, JaxprEqn]]] = []
    with _equations_as_sources():
        text: str = cast(Any, jaxpr).pretty_print(use_color=False, source_map=regions)
    lines: dict[int, list[Any]] = {}
    for number, line in enumerate(regions):
        for _, _, equation in line:
            lines.setdefault(id(equation), [equation, number, number])[2] = number
    return text, [PrintedEquation(*each) for each in lines.values()]


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


def positions(equation: JaxprEqn) -> Iterator[Position]:
    """Return where `equation` was traced, innermost first."""
    traceback = equation.source_info.traceback
    return zip(*traceback.raw_frames(), strict=True) if traceback is not None else iter(())


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
