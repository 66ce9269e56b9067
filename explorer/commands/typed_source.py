"""A program with the types of its lines as comments."""

from __future__ import annotations

import tokenize
from collections.abc import Iterable, Iterator
from io import StringIO

from explorer.commands.code_excerpts import columns
from explorer.figures.line_types import line_type_words
from explorer.messages import Report

FARTHEST = 72
"""The last column in which the comments are aligned; longer lines have theirs two spaces behind."""


def text(source: str, reports: Iterable[Report]) -> str:
    """Return `source` with a comment at the end of each line that the `reports` have traced; it runs as before."""
    lines, types = source.rstrip("\n").split("\n"), line_type_words(reports)
    comments = {line: types[line] for line in (_line_ends(source) if types else ()) if line in types}
    width = max((wide for line in comments if (wide := columns(lines[line - 1])) <= FARTHEST), default=0)
    for line, words in comments.items():
        code = lines[line - 1]
        lines[line - 1] = f"{code}{' ' * max(0, width - columns(code))}  # {words}"
    return "\n".join(lines)


def _line_ends(source: str) -> Iterator[int]:
    """Yield the lines that may end in a comment: not those that a string or a backslash continues."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type in (tokenize.NEWLINE, tokenize.NL):
            yield token.start[0]
