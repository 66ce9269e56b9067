"""Python's traceback of an error, restricted to user frames, and bounded in number and length of lines."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from types import TracebackType

from explorer import OUR_FILES
from explorer.messages.encodable import encodable_text
from explorer.worker.errors.raised import type_names

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
    return encodable_text("".join(f"{_cut(line)}\n" for line in lines))


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
        return traceback.FrameSummary(code.co_filename, entry.tb_lineno, code.co_name, line=_cut(text.strip()))
    return traceback.FrameSummary(
        code.co_filename,
        entry.tb_lineno,
        code.co_name,
        end_lineno=end_line if line is not None else None,
        colno=column,
        end_colno=end_column,
    )


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
