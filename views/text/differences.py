"""only_in_one(): lines that only one of two program texts has; the same for functions and texts of code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from explorer.messages import Form
from explorer.messages.changed_middle import changed_middle

MOST_COMPARED = 1_000
"""The most lines from the first to the last difference; comparing more would block the window while a user types."""

DIFFERS = "\u2260"
"""The sign of a line in one of two variants only: neither is older or better, as "-" and "+" would say."""

Rows = frozenset[int]


class Differences(NamedTuple):
    """Lines, counted from 0, that only one of two texts has."""

    first: Rows = frozenset()
    second: Rows = frozenset()
    too_many: int = 0
    """The number of lines between the first and the last difference where they are too many to compare; else 0."""


def only_in_one(first: str, second: str, form: Form = "jaxpr") -> Differences:
    """Return the lines that only one of two programs in the same `form` has.

    Names of values do not count: JAX and XLA number them, so that one more operation renames all that follow. In HLO
    the source positions do not count either.
    """
    plain = {"jaxpr": _jaxpr_without_names, "stablehlo": _stablehlo_without_names, "hlo": _hlo_without_names}[form]
    return _differing(plain(first), plain(second))


def only_in_one_function(first: Sequence[str], second: Sequence[str]) -> Differences:
    """Return the same for the lines of two functions; their names do not count."""
    return _differing(*([_NAMED.sub(r"\1 _", line.strip()) for line in lines] for lines in (first, second)))


def only_in_one_text(first: str, second: str) -> Differences:
    """Return the same for all lines of two texts; only the part between their differences is compared."""
    front, back = changed_middle(first, second)
    start = first.rfind("\n", 0, front) + 1
    end = first.find("\n", len(first) - back)
    after = len(first) - end if end >= 0 else 0
    inner = (text[start : len(text) - after].split("\n") for text in (first, second))
    found, row = only_in_one_function(*inner), first.count("\n", 0, start)
    only, only_too = (frozenset(row + each for each in rows) for rows in (found.first, found.second))
    return Differences(only, only_too, found.too_many)


# -- what counts --------------------------------------------------------------------------------------------------

_BOUND = re.compile(r"(?<![\w.])([a-z_]+)(?=:(?:key<|[a-z]+\d*\[|bool\[|Ref))")
_WORD = re.compile(r"(?<![\w.=])[a-z_]+(?![\w=])")
_NAMED = re.compile(r"\b(let|def)\s+\w+")


def _jaxpr_without_names(text: str) -> list[str]:
    """Return the lines of a jaxpr with one name for every variable."""
    bound = set(_BOUND.findall(text))
    plain = _WORD.sub(lambda found: "·" if found[0] in bound else found[0], text)
    return [line.strip() for line in plain.split("\n")]


_SSA_NAME = re.compile(r"%[\w#:]+|(?<=^module )@[\w.$-]+", re.MULTILINE)
_FUNCTION_NUMBER = re.compile(r"(@[\w.$-]*?)_\d+\b")


def _stablehlo_without_names(text: str) -> list[str]:
    """Return the lines of StableHLO with one name for every value, and functions without trailing numbers."""
    plain = _FUNCTION_NUMBER.sub(r"\1", _SSA_NAME.sub("%", text))
    return [line.strip() for line in plain.split("\n")]


_TABLE = re.compile(r"^(?:FileNames|FunctionNames|FileLocations|StackFrames)\n(?:.+\n)*", re.MULTILINE)
_ORIGIN = re.compile(r", metadata=\{(?:[^{}\"]|\"[^\"]*\")*\}")
_HLO_NAME = re.compile(r"%[\w.-]+|(?<=^HloModule )[\w.-]+|(?<=[( ])[\w.-]+(?=: )", re.MULTILINE)


def _hlo_without_names(text: str) -> list[str]:
    """Return the lines of HLO with one name for every value, and without source positions."""
    text = _TABLE.sub(lambda found: "\n" * found[0].count("\n"), text)
    plain = _HLO_NAME.sub("%", _ORIGIN.sub("", text))
    return [line.strip() for line in plain.split("\n")]


# -- comparing ----------------------------------------------------------------------------------------------------


def _differing(first: Sequence[str], second: Sequence[str]) -> Differences:
    shorter = min(len(first), len(second))
    front = next((row for row in range(shorter) if first[row] != second[row]), shorter)
    rest = shorter - front
    back = next((row for row in range(rest) if first[-1 - row] != second[-1 - row]), rest)
    inner, inner_too = first[front : len(first) - back], second[front : len(second) - back]
    if max(len(inner), len(inner_too)) > MOST_COMPARED:
        return Differences(too_many=max(len(inner), len(inner_too)))
    matcher = SequenceMatcher(None, inner, inner_too, autojunk=len(inner) > 200)
    blocks = matcher.get_matching_blocks()
    common = [row for block in blocks for row in range(block.a, block.a + block.size)]
    common_too = [row for block in blocks for row in range(block.b, block.b + block.size)]
    # Empty lines say nothing, and neither do the tables in front of HLO, which have become that.
    only, only_too = (
        frozenset(front + row for row, line in enumerate(lines) if line and row not in known)
        for lines, known in ((inner, set(common)), (inner_too, set(common_too)))
    )
    return Differences(only, only_too)
