"""The equations of a traced program as records, with places in text and in user code; types as JAX writes them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxprs_in_params

from explorer.messages import Equation, Span
from explorer.worker.internals.printing import positions, printed
from explorer.worker.internals.sources import equation_source, transforms
from explorer.worker.internals.spans import SpanFinder

DRAWS = ("random_bits", "random_gamma")


def text_and_equations(
    jaxpr: ClosedJaxpr, is_user_code: Callable[[str], bool]
) -> tuple[str, tuple[Equation, ...], tuple[int, ...]]:
    """Return JAX's text of `jaxpr`, its equations, and for each line of the text the line in user code (0: none)."""
    places = EquationSpans(SpanFinder(is_user_code))
    places.visit(jaxpr.jaxpr, None, 0)
    text, found = printed(jaxpr)
    records = []
    lines = [0] * (text.count("\n") + 1)
    for equation, first, last in found:
        span, depth = places.of(equation)
        name = equation.primitive.name
        key = short_type(equation.invars[0].aval) if name in DRAWS else ""
        outputs = " ".join([short_type(each.aval) for each in equation.outvars])
        records.append(Equation(name, span, first, last, depth, outputs, key))
        # A nested equation comes later and overrides its own lines.
        lines[first : last + 1] = [span.line if span else 0] * (last + 1 - first)
    return text, tuple(records), tuple(lines)


def has_vmap(jaxpr: Jaxpr) -> bool:
    """Return whether any equation of `jaxpr` was traced inside a vmap."""
    return any(
        "vmap" in transforms(equation_source(equation)[1]) or any(map(has_vmap, jaxprs_in_params(equation.params)))
        for equation in jaxpr.eqns
    )


class EquationSpans:
    """Finder of each equation's span and depth; equations in a library take the span of their caller."""

    def __init__(self, finder: SpanFinder) -> None:
        self._finder = finder
        self._found: dict[int, tuple[Span | None, int]] = {}
        self._visited: dict[int, tuple[Span | None, int]] = {}

    def of(self, equation: JaxprEqn) -> tuple[Span | None, int]:
        """Return the span and the depth of `equation`."""
        return self._found.get(id(equation)) or (self._finder.innermost(positions(equation)), 1)

    def visit(self, jaxpr: Jaxpr, caller: Span | None, depth: int) -> None:
        """Find the spans of all equations in `jaxpr`, which is called at `caller` in user code."""
        if id(jaxpr) in self._visited:
            known, depth = self._visited[id(jaxpr)]
            if known is None or (caller is not None and known.line == caller.line):
                return
            # Printed once, but called from several lines: it belongs to none of them.
            caller = None
        self._visited[id(jaxpr)] = (caller, depth)
        for equation in jaxpr.eqns:
            span = self._finder.innermost(positions(equation)) or caller
            self._found[id(equation)] = (span, depth)
            for inner in jaxprs_in_params(equation.params):
                self.visit(inner, span, depth + 1)


@functools.lru_cache(4096)
def short_type(aval: Any) -> str:
    """Return a type in JAX's notation: a program has many equations but few types, and formatting is slow."""
    return str(aval.str_short(short_dtypes=True))


def type_text(aval: Any) -> str:
    """Return an array type in JAX's notation: ``f32[3]``, or ``~f32[3]`` for a weak type."""
    if not hasattr(aval, "str_short"):
        return str(aval)
    weak = "~" if getattr(aval, "weak_type", False) else ""
    return weak + str(aval.str_short(True)).removeprefix(weak)
