"""Code and programs as lines of coloured stretches, by the same rules as on screen."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QSyntaxHighlighter

from explorer.messages import Form
from explorer.window.handout.records import CodeToken, Listing
from views.parts.outside.own_document import OwnDocument
from views.text.highlighters import KIND, ProgramHighlighter, PythonHighlighter

MOST_LINES = 60
"""The most lines of a program, and of printed output."""
AROUND = 2
"""Lines shown above and below the line that a page points at."""


def code(title: str, source: str) -> Listing:
    """Return the Python code `source` with line numbers."""
    return Listing(title, _coloured(source, None), first=1)


def excerpt(listing: Listing, line: int) -> Listing:
    """Return `line` of `listing`, counted from 1, with the lines around it."""
    start, stop = max(0, line - 1 - AROUND), min(len(listing.lines), line + AROUND)
    while stop > line and not listing.lines[stop - 1]:
        stop -= 1
    while start < line - 1 and not listing.lines[start]:
        start += 1
    ends = {place - start: words for place, words in listing.ends.items() if start <= place < stop}
    return Listing("", listing.lines[start:stop], start + 1, frozenset({line - 1 - start}), ends=ends)


def program(title: str, text: str, form: Form, marked: Iterable[int] = ()) -> Listing:
    """Return the `text` of a program as a listing; `marked` are the indices of marked lines."""
    lines = _coloured("\n".join(text.splitlines()[:MOST_LINES]), form)
    meant = frozenset(place for place in marked if place < len(lines))
    return Listing(title, lines, marked=meant, left_out=max(0, len(text.splitlines()) - MOST_LINES))


def plain(title: str, text: str) -> Listing:
    """Return `text` without colours."""
    lines = text.rstrip("\n").split("\n")
    shown = tuple((CodeToken("", line),) for line in lines[:MOST_LINES])
    return Listing(title, shown, left_out=max(0, len(lines) - MOST_LINES))


def _coloured(text: str, form: Form | None) -> tuple[tuple[CodeToken, ...], ...]:
    document = OwnDocument()
    highlighter: QSyntaxHighlighter
    if form is None:
        highlighter = PythonHighlighter(document)
    else:
        highlighter = ProgramHighlighter(document)
        highlighter.set_form(form)
    document.setPlainText(text.rstrip("\n"))
    highlighter.rehighlight()
    lines = []
    block = document.begin()
    while block.isValid():
        lines.append(tuple(_stretches(block.text(), block.layout().formats())))
        block = block.next()
    return tuple(lines)


def _stretches(line: str, formats: Iterable[object]) -> Iterable[CodeToken]:
    # Qt counts in units of UTF-16.
    units = line.encode("utf-16-le")
    place = 0
    for each in sorted(formats, key=lambda one: one.start):  # type: ignore[attr-defined]
        start, stop = each.start, each.start + each.length  # type: ignore[attr-defined]
        if start > place:
            yield CodeToken("", units[2 * place : 2 * start].decode("utf-16-le", "replace"))
        kind = each.format.property(KIND)  # type: ignore[attr-defined]
        yield CodeToken(kind or "", units[2 * start : 2 * stop].decode("utf-16-le", "replace"))
        place = stop
    if 2 * place < len(units):
        yield CodeToken("", units[2 * place :].decode("utf-16-le", "replace"))
