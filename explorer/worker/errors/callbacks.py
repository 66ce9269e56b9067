"""Errors of host callbacks: XLA wraps their Python traceback as text in its own error."""

from __future__ import annotations

import re
from typing import NamedTuple

from explorer.messages import Span
from explorer.messages.encodable import encodable_text
from explorer.worker.errors.raised import LONGEST_TEXT, first_text, type_names
from explorer.worker.errors.short_traceback import IsUserCode
from explorer.worker.internals.spans import whole_line

_BEGIN = "error calling callback: Traceback (most recent call last):\n"
_PLACE = re.compile(r'  File "([^"\n]{1,1000})", line (\d{1,9}), in ')


class Raised(NamedTuple):
    """The known facts about an exception."""

    words: str
    """Its class and text."""
    span: Span | None
    """The innermost line of user code."""


def raised_in_callback(error: BaseException, is_user_code: IsUserCode) -> Raised | None:
    """Return the exception raised in a callback, None if `error` does not come from one."""
    if type_names(error)[0] not in ("JaxRuntimeError", "XlaRuntimeError"):
        return None
    # A nested callback passes on both tracebacks: the last one is the cause.
    _, begin, text = first_text(error).rpartition(_BEGIN)
    if not begin:
        return None
    span, at = None, 0
    while place := _PLACE.match(text, at):
        if is_user_code(place[1]):
            span = whole_line(place[1], int(place[2]))
        at = text.find("\n", place.end()) + 1 or len(text)
    return Raised(encodable_text(text[at : at + LONGEST_TEXT]).strip(), span)
