"""Lines of code quoted with marks below their spans, or with types as comments; lines and name of a file."""

from __future__ import annotations

import linecache
import os
import tokenize
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path

import msgspec

from explorer.figures.line_types import line_type_words
from explorer.messages import Report, Span
from explorer.text.text import Text

BOLD, RED, YELLOW, GREEN, CYAN, BLUE, PLAIN = (f"\x1b[{code}m" for code in ("1", "1;31", "1;33", "32", "36", "34", "0"))


class Pen(msgspec.Struct, frozen=True):
    """Formats text for a terminal, with or without colours."""

    colour: bool

    def paint(self, words: str, code: str) -> str:
        """Return `words` in the colour of the ANSI sequence `code`."""
        return f"{code}{words}{PLAIN}" if self.colour and words else words


class Sources(msgspec.Struct, frozen=True):
    """The source of lines by file, and the display name of a file. Files are named as in spans."""

    lines: Callable[[str], Sequence[str]]
    name: Callable[[str], str]

    def place(self, span: Span) -> str:
        """Return file, line and column of `span` in words; of a notebook the cell and the line in it."""
        name = self.name(span.file)
        if name.endswith(".ipynb"):
            from explorer.library import notebook

            if cell := notebook.in_cell(self.lines(span.file), span.line):
                return f"{name}, {cell}"
        return f"{name}:{span.line}:{span.column + 1}"


class MarkedSpan(msgspec.Struct, frozen=True):
    """A stretch of code and a few words about it."""

    span: Span
    label: Text | str = ""


def _name(file: str) -> str:
    """Return the shortest path to `file` from where we are."""
    path = Path(file)
    if not path.is_absolute() or not path.is_relative_to(Path.cwd()):
        return file
    return os.path.relpath(file)


CODE = Sources(linecache.getlines, _name)
"""The lines of any Python file, and of a notebook's cells."""


def gutter(marks: Sequence[MarkedSpan]) -> str:
    """Return spaces of the width of the line numbers of `marks`."""
    return " " * max((len(str(mark.span.line)) for mark in marks), default=1)


def quote(marks: Sequence[MarkedSpan], code: Sources, pen: Pen, colour: str) -> Iterator[str]:
    """Yield the lines with `marks`: those of one file together and in the order of the code."""
    margin = gutter(marks)
    files = list(dict.fromkeys(mark.span.file for mark in marks))
    for file in files:
        here = [mark for mark in marks if mark.span.file == file]
        first = here[0].span
        arrow = "-->" if file == files[0] else ":::"
        yield f"{margin}{pen.paint(arrow, BLUE)} {code.place(first)}"
        lines = code.lines(file)
        known = [mark for mark in here if 1 <= mark.span.line <= len(lines)]
        if known:
            yield f"{margin} {pen.paint('|', BLUE)}"
            yield from _marked(known, lines, len(margin), pen, colour)


def _marked(marks: Sequence[MarkedSpan], lines: Sequence[str], width: int, pen: Pen, colour: str) -> Iterator[str]:
    bar = pen.paint("|", BLUE)
    before = None
    for mark in sorted(marks, key=lambda each: (each.span.line, each.span.column)):
        number = mark.span.line
        text = lines[number - 1].rstrip()
        if before is not None and number > before + 1:
            yield pen.paint("...", BLUE)
        if number != before:
            yield f"{pen.paint(f'{number:{width}}', BLUE)} {bar} {text}"
        before = number
        carets = f"{_under(text, mark.span)} {mark.label}".rstrip()
        yield f"{' ' * width} {bar} {_blank(text[: mark.span.column])}{pen.paint(carets, colour)}"


def _under(text: str, span: Span) -> str:
    """Return marks of the width of the part of `text`, the span's first line, that is in `span`."""
    end = span.end_column if span.end_line == span.line else len(text)
    return "^" * max(1, columns(text[span.column : end]))


def columns(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    return sum(map(_cells, text))


def _blank(text: str) -> str:
    return "".join("\t" if character == "\t" else " " * _cells(character) for character in text)


def _cells(character: str) -> int:
    """Return how many cells of a terminal `character` takes; a Hangul syllable takes two."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


FARTHEST = 72
"""The last column in which the comments are aligned; longer lines have theirs two spaces behind."""


def with_types(source: str, reports: Iterable[Report]) -> str:
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
