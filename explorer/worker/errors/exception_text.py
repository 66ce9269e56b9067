"""The text and the traceback of an exception, bounded, and safe from methods of its class."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from types import TracebackType
from typing import Any, cast

from explorer import OUR_FILES
from explorer.messages.encodable import encodable_text
from explorer.worker.recording.interrupt import Interrupt

IsUserCode = Callable[[str], bool]
MOST_PLACES = 60
"""Largest number of places to print, half of them at each end."""
MOST_REPEATED = 3
"""As in Python's own tracebacks."""
LONGEST_LINE = 1000


def short_traceback(error: BaseException, message: str, source: TracebackType | None, is_user_code: IsUserCode) -> str:
    """Return Python's traceback with user frames only, and the last library frame if a library raised."""
    places = [list(run) for _, run in groupby(_entries(source, is_user_code), _place)]
    left_out = len(places) - MOST_PLACES
    if left_out > 0:
        half = MOST_PLACES // 2
        between = f"  ... {left_out} more places ..."
        text = f"{_formatted(places[:half])}{between}\n{_formatted(places[-half:])}"
    else:
        text = _formatted(places)
    ending = ": ".join(filter(None, (type_names(error)[0], message)))
    return encodable_text(f"Traceback (most recent call last):\n{text}{ending}\n")


def syntax_traceback(error: BaseException, message: str) -> str:
    """Return Python's text of a SyntaxError; `message` if the error's attributes are invalid."""
    name = type_names(error)[0]
    try:
        lines = "".join(traceback.format_exception_only(error)).splitlines()[:MOST_PLACES]
    except Exception:
        lines = [f"{name}: {message}"]
    return encodable_text("".join(f"{_bounded_line(line)}\n" for line in lines))


def _entries(source: TracebackType | None, is_user_code: IsUserCode) -> Iterator[TracebackType]:
    while source is not None:
        file = source.tb_frame.f_code.co_filename
        if is_user_code(file) or (source.tb_next is None and not file.startswith(OUR_FILES)):
            yield source
        source = source.tb_next


def _place(entry: TracebackType) -> tuple[int, int]:
    return id(entry.tb_frame.f_code), entry.tb_lineno


def _formatted(places: Iterable[list[TracebackType]]) -> str:
    lines = []
    for run in places:
        lines += traceback.StackSummary.from_list([_summary(each) for each in run[:MOST_REPEATED]]).format()
        more = len(run) - MOST_REPEATED
        if more > 0:
            lines.append(f"  [Previous line repeated {more} more time{'s' * (more > 1)}]\n")
    return "".join(lines)


def _summary(entry: TracebackType) -> traceback.FrameSummary:
    code = entry.tb_frame.f_code
    line, end_line, column, end_column = next(islice(code.co_positions(), entry.tb_lasti // 2, None))
    text = linecache.getline(code.co_filename, entry.tb_lineno)
    if len(text) > LONGEST_LINE:
        # Markers below the line would be as far to the right.
        return traceback.FrameSummary(code.co_filename, entry.tb_lineno, code.co_name, line=_bounded_line(text.strip()))
    return traceback.FrameSummary(
        code.co_filename,
        entry.tb_lineno,
        code.co_name,
        end_lineno=end_line if line is not None else None,
        colno=column,
        end_colno=end_column,
    )


def _bounded_line(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


LONGEST_TEXT = 6000
"""Largest number of characters to examine: patterns are tried at every position."""
LONGEST_NAME = 200
MOST_CAUSES = 100
"""Causes may form a cycle, or go on for ever."""
STR_FAILED = "<exception str() failed>"
"""Python's own text in this case."""

# Read as Python does: a class may define properties with these names.
_classes = cast(Callable[[type], tuple[type, ...]], vars(type)["__mro__"].__get__)
_name = cast(Callable[[type], str], vars(type)["__name__"].__get__)
_cause = cast(Callable[[BaseException], BaseException | None], vars(BaseException)["__cause__"].__get__)
_args = cast(Callable[[BaseException], tuple[Any, ...]], vars(BaseException)["args"].__get__)
traceback_of = cast(Callable[[BaseException], TracebackType | None], vars(BaseException)["__traceback__"].__get__)


def is_a(error: BaseException, *kinds: type[BaseException]) -> bool:
    """Return whether `error` is an instance of `kinds`, by its real class."""
    return issubclass(type(error), kinds)


def type_names(error: BaseException) -> tuple[str, ...]:
    """Return the class names of `error` and its bases."""
    return tuple(encodable_text(_name(each)[:LONGEST_NAME]) for each in _classes(type(error)))


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield the chain of causes of `error`, without repetitions."""
    seen: set[int] = set()
    cause = _cause(error)
    while cause is not None and id(cause) not in seen and len(seen) < MOST_CAUSES:
        seen.add(id(cause))
        yield cause
        cause = _cause(cause)


def first_text(error: BaseException) -> str:
    """Return the first argument of `error` if it is a text, else an empty text."""
    given = _args(error)
    return given[0] if given and type(given[0]) is str else ""


def text_of(value: object) -> str:
    """Return the first LONGEST_TEXT characters of `value`, such as an error, as text; STR_FAILED if its class fails."""
    try:
        # A subclass of str may override slicing.
        return encodable_text(str.__getitem__(str(value), slice(0, LONGEST_TEXT)))
    except Interrupt:
        raise
    except BaseException:
        return STR_FAILED


def whole_number(value: object, most: int) -> int:
    """Return `value` if it is an integer from 1 to `most`, else 0."""
    return value if type(value) is int and 0 < value <= most else 0
