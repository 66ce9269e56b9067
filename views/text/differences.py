"""Which lines of two texts stand in one of them only: two jaxprs, or two functions of the person's code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

MOST_COMPARED = 1_000
"""Lines of one text; to compare more would hold up the window while a person types."""

DIFFERS = "\u2260"
"""The sign of a line in one of two variants only: neither is older or better, as "-" and "+" would say."""

Rows = frozenset[int]
NONE: tuple[Rows, Rows] = (frozenset(), frozenset())

_BOUND = re.compile(r"(?<![\w.])([a-z_]+)(?=:(?:key<|[a-z]+\d*\[|bool\[|Ref))")
_WORD = re.compile(r"(?<![\w.=])[a-z_]+(?![\w=])")
_NAMED = re.compile(r"\b(let|def)\s+\w+")


def only_in_one(first: str, second: str) -> tuple[Rows, Rows]:
    """Return the lines, counted from 0, that stand only in the `first` and only in the `second` jaxpr.

    Names of variables do not count: JAX numbers them through, so that one equation more renames all that follow.
    Nothing is marked where either text is longer than MOST_COMPARED.
    """
    return _differing(_without_names(first), _without_names(second))


def only_in_one_function(first: Sequence[str], second: Sequence[str]) -> tuple[Rows, Rows]:
    """Return the same for the lines of two functions; what they are called does not count."""
    return _differing(*([_NAMED.sub(r"\1 _", line.strip()) for line in lines] for lines in (first, second)))


def _without_names(text: str) -> list[str]:
    """Return the lines of a jaxpr with one name for every variable."""
    bound = set(_BOUND.findall(text))
    plain = _WORD.sub(lambda found: "·" if found[0] in bound else found[0], text)
    return [line.strip() for line in plain.split("\n")]


def _differing(first: Sequence[str], second: Sequence[str]) -> tuple[Rows, Rows]:
    if max(len(first), len(second)) > MOST_COMPARED:
        return NONE
    matcher = SequenceMatcher(None, first, second, autojunk=len(first) > 200)
    blocks = matcher.get_matching_blocks()
    common = [row for block in blocks for row in range(block.a, block.a + block.size)]
    common_too = [row for block in blocks for row in range(block.b, block.b + block.size)]
    return frozenset(range(len(first))).difference(common), frozenset(range(len(second))).difference(common_too)
