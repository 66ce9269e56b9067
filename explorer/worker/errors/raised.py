"""The text of an exception, bounded, and safe from methods of its class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from threading import Thread
from types import FunctionType, TracebackType
from typing import Any, cast

from explorer.messages.encodable import encodable_text

LONGEST_TEXT = 6000
"""Largest number of characters to examine: patterns are tried at every position."""
LONGEST_NAME = 200
MOST_CAUSES = 100
"""Causes may form a cycle, or go on for ever."""
PATIENCE_S = 0.15
"""Seconds to wait for the text of a user-defined exception: its ``__str__`` may never return."""
STR_FAILED = "<exception str() failed>"
"""Python's own text in this case."""
STR_HANGS = "<exception str() did not return>"

# Read as Python does: a class may define properties with these names.
_classes = cast(Callable[[type], tuple[type, ...]], vars(type)["__mro__"].__get__)
_name = cast(Callable[[type], str], vars(type)["__name__"].__get__)
_cause = cast(Callable[[BaseException], BaseException | None], vars(BaseException)["__cause__"].__get__)
_args = cast(Callable[[BaseException], tuple[Any, ...]], vars(BaseException)["args"].__get__)
traceback_of = cast(Callable[[BaseException], TracebackType | None], vars(BaseException)["__traceback__"].__get__)

_PLAIN = (str, int, float, bool, type(None))
_TEXT_ATTRIBUTE = "_text_for_jax_explorer"


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


def text_of(error: BaseException) -> str:
    """Return the first LONGEST_TEXT characters of the text of `error`; STR_FAILED if its class fails."""
    if _is_plain(error):
        return _cut(error)
    with suppress(AttributeError, TypeError):
        return cast(str, object.__getattribute__(error, _TEXT_ATTRIBUTE))
    text = text_of_any(error)
    with suppress(AttributeError, TypeError):
        # The next call might differ, or take as long again.
        object.__setattr__(error, _TEXT_ATTRIBUTE, text)
    return text


def text_of_any(value: object) -> str:
    """Return the first LONGEST_TEXT characters of `value` as text, or STR_FAILED, or STR_HANGS.

    A separate thread asks for the text; it is abandoned if the text never comes.
    """
    if type(value) in _PLAIN:
        return _cut(value)
    texts: list[str] = []
    # A library function, so that a remaining thread counts as the program's.
    thread = Thread(target=partial(_tell, value, texts), daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    return texts[0] if texts else STR_HANGS


def whole_number(value: object, most: int) -> int:
    """Return `value` if it is an integer from 1 to `most`, else 0."""
    return value if type(value) is int and 0 < value <= most else 0


def _tell(value: object, texts: list[str]) -> None:
    texts.append(_cut(value))


def _cut(value: object) -> str:
    try:
        # A subclass of str may override slicing.
        return encodable_text(str.__getitem__(str(value), slice(0, LONGEST_TEXT)))
    except BaseException:
        return STR_FAILED


def _is_plain(error: BaseException) -> bool:
    """Return whether only Python's own code makes the text of `error`."""
    makers = (vars(each).get(name) for each in _classes(type(error)) for name in ("__str__", "__repr__"))
    return not any(isinstance(each, FunctionType) for each in makers) and _are_plain(_args(error))


def _are_plain(values: tuple[Any, ...]) -> bool:
    return len(values) < MOST_CAUSES and all(type(each) in _PLAIN for each in values)
