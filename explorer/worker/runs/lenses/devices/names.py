"""The names of results in user code: the targets of their assignments."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Sequence
from functools import lru_cache

from explorer.messages import Span
from explorer.worker.internals.spans import Position

_Place = tuple[int, int, int, int]


def names(
    positions: Sequence[Position], span: Span | None, is_user_code: Callable[[str], bool], count: int
) -> list[str]:
    """Return the name of each of `count` results of the expression at `span`, '' for none.

    `span` belongs to the first of `positions` in user code.
    """
    filename = next((code.co_filename for code, _ in positions if is_user_code(code.co_filename)), "")
    if span is not None and filename:
        place = (span.line, span.column, span.end_line, span.end_column)
        target = _targets("".join(linecache.getlines(filename))).get(place, ())
        if len(target) == count:
            return list(target)
    return [""] * count


@lru_cache(8)
def _targets(source: str) -> dict[_Place, tuple[str, ...]]:
    """Return the target names of each assigned value in `source`, by its position."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = {}
    for each in ast.walk(tree):
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target, value = each.targets[0], each.value
            elements = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            if value.end_lineno is not None and value.end_col_offset is not None:
                place = (value.lineno, value.col_offset, value.end_lineno, value.end_col_offset)
                found[place] = tuple(element.id if isinstance(element, ast.Name) else "" for element in elements)
    return found
