"""Problems as GitHub's workflow commands, which put them on the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from explorer.commands.in_ci.problems import Place, Problem
from explorer.commands.repository import relative

COMMANDS = {"bug": "error", "warning": "warning", "note": "notice"}


def text(problems: Iterable[Problem], root: Path) -> str:
    """Return a line for each problem, paths from `root`."""
    return "".join(f"{_line(each, root)}\n" for each in problems)


def _line(problem: Problem, root: Path) -> str:
    properties = [f"{name}={_escaped(value, in_property=True)}" for name, value in _properties(problem, root)]
    others = [f"{each.words or 'and'}: {_where(each, root)}" for each in problem.places[1:] if each.span]
    lesson = [f"lesson: jax-explorer open {problem.lesson}"] * bool(problem.lesson)
    message = _escaped("\n".join([problem.message, *others, *lesson]))
    return f"::{COMMANDS[problem.level]} {','.join(properties)}::{message}"


def _properties(problem: Problem, root: Path) -> Iterator[tuple[str, str]]:
    for place in problem.places[:1]:
        yield "file", relative(place.file, root)
        if (span := place.span) is not None:
            yield "line", str(span.line)
            yield "endLine", str(max(span.line, span.end_line))
            if span.line == span.end_line:
                # Columns are of one line alone.
                yield "col", str(span.column + 1)
                yield "endColumn", str(max(span.column, span.end_column) + 1)
    yield "title", problem.kind


def _where(place: Place, root: Path) -> str:
    return f"{relative(place.file, root)}:{place.span.line}" if place.span else relative(place.file, root)


def _escaped(words: str, *, in_property: bool = False) -> str:
    """Return `words` escaped, so that they do not end their command or property."""
    words = words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return words.replace(":", "%3A").replace(",", "%2C") if in_property else words
