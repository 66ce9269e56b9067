"""An exception of the person's program as a Failure: its text, its place in their code, and what it means."""

from __future__ import annotations

import linecache
import re
import traceback
from collections.abc import Callable, Iterator
from itertools import islice
from types import TracebackType

from explorer.messages import Failure, Span
from explorer.worker.code.user_code import BadProgram
from explorer.worker.errors.documentation import link
from explorer.worker.errors.explanations import explanation
from explorer.worker.errors.near_names import USUAL_IMPORTS, missing_name, near_name
from explorer.worker.errors.scene import Scene, scene_of, text_of
from explorer.worker.errors.shape_drawings import drawing
from explorer.worker.internals.spans import SpanFinder, traceback_positions
from explorer.worker.spoken.say import say

IsPersons = Callable[[str], bool]

MESSAGE_LINES = 4
"""JAX's messages say what happened in their first lines; then come frames, advice and links."""

LONGEST_ORIGINAL = 6000

_KEY_KIND = re.compile(r"impl=PRNGImpl\([^\n]*?\bname='([^']*)'[^\n]*?\)(?=$|[\s,;.])", re.MULTILINE)
"""How JAX writes a kind of keys: with all its functions and their addresses."""
_ADDRESS = re.compile(r"(?<=\w) at 0x[0-9a-f]+(?=>)|(?<=Tracer) with object id \d+")
"""Where something lies in memory: it says nothing, and is another number in each run."""
_LEAKED = re.compile(r"leaked intermediate value was created on line (?P<file>.+):(?P<line>\d+):(?P<column>\d+) \(")
_BOILERPLATE = re.compile(r"^(See https?://|-{5,}|To catch the leak earlier|When the value was created)")


def failure(error: BaseException, is_persons: IsPersons) -> Failure:
    """Return `error` as a value: message, innermost span of the person's code, explanation, short traceback.

    `is_persons` says of a file name whether it is the person's code.
    """
    source = _source(error, is_persons)
    found = scene(error, is_persons)
    message, whole = _message(error), text_of(error)[:LONGEST_ORIGINAL]
    words = _explanation(error, found.arguments() if found else [])
    return Failure(
        type(error).__name__,
        message,
        # An instruction that decides covers more than what it decides on.
        found.code.span(found.test) if found and found.test else _span(error, source, is_persons),
        words,
        _short_traceback(error, source, is_persons),
        drawing=drawing(found) if found else "",
        original="" if isinstance(error, SyntaxError | SystemExit) else whole.strip(),
        link=link(whole) if words and not isinstance(error, SyntaxError) else "",
    )


def scene(error: BaseException, is_persons: IsPersons) -> Scene | None:
    """Return what a fix of `error` can be made from, None where its place in the person's code is not known."""
    source = _source(error, is_persons)
    span = _span(error, source, is_persons)
    return scene_of(error, source, span, is_persons) if span and not isinstance(error, SyntaxError) else None


def _source(error: BaseException, is_persons: IsPersons) -> TracebackType | None:
    """Return the traceback that leads to the person's operation.

    When a transformation fails, its own traceback ends where the transformed function was called; JAX chains
    an exception in front of it whose traceback ends at the operation.
    """
    cause = error.__cause__
    while cause is not None:
        if type(cause).__name__ == "JaxStackTraceBeforeTransformation" and any(
            is_persons(code.co_filename) for code, _ in traceback_positions(cause.__traceback__)
        ):
            return cause.__traceback__
        cause = cause.__cause__
    return error.__traceback__


def _message(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return error.msg or "invalid syntax"
    if isinstance(error, SystemExit):
        if error.code and isinstance(error.code, int):
            return say("The program asked to quit with code {code}.", code=error.code)
        if error.code:
            return say("The program quit and said: {words}", words=error.code)
        return say("The program asked to quit.")
    lines = [line.rstrip() for line in _ADDRESS.sub("", _KEY_KIND.sub(r"impl=\1", text_of(error))).splitlines()]
    telling = [line for line in lines if line and not _BOILERPLATE.match(line)]
    return "\n".join(telling[:MESSAGE_LINES])


def _span(error: BaseException, source: TracebackType | None, is_persons: IsPersons) -> Span | None:
    if isinstance(error, SyntaxError) and error.lineno and is_persons(error.filename or ""):
        start = max(0, (error.offset or 1) - 1)
        end_line = error.end_lineno or error.lineno
        end = (error.end_offset or 0) - 1
        return Span(error.lineno, start, end_line, end if (end_line, end) > (error.lineno, start) else start + 1)
    if isinstance(error, BadProgram) and error.span is not None:
        return error.span
    return SpanFinder(is_persons).innermost(traceback_positions(source)) or _where_leaked(error, is_persons)


def _where_leaked(error: BaseException, is_persons: IsPersons) -> Span | None:
    """Return where a value was made that left its function; JAX may notice only after all of the person's code."""
    told = _LEAKED.search(str(error))
    if told is None or not is_persons(told["file"]):
        return None
    line, column = int(told["line"]), int(told["column"])
    return Span(line, column, line, max(column + 1, len(linecache.getline(told["file"], line).rstrip())))


def _explanation(error: BaseException, arguments: list[str]) -> str:
    if isinstance(error, NameError):
        return _explanation_of_name(error)
    return explanation(tuple(each.__name__ for each in type(error).__mro__), text_of(error), arguments)


def _explanation_of_name(error: NameError) -> str:
    name = missing_name(error)
    parts = {"said": say("Nothing called {name} exists at this point.", name=name), "name": name}
    if name in USUAL_IMPORTS:
        return say("{said} Add the line `{line}` at the top; or check the spelling.", line=USUAL_IMPORTS[name], **parts)
    if isinstance(error, UnboundLocalError):
        return say(
            "{name} is given a value somewhere in this function, which makes it local, and it is read before that. "
            "Set it first; or give the outer value in as an argument.",
            name=name,
        )
    near = near_name(error)
    if near:
        return say("{said} Did you mean {near}?", near=near, **parts)
    return say("{said} Check the spelling; or define or import it above this line.", **parts)


def _short_traceback(error: BaseException, source: TracebackType | None, is_persons: IsPersons) -> str:
    """Return Python's traceback with only the person's frames, and the library's last one if it raised."""
    if isinstance(error, SyntaxError):
        return "".join(traceback.format_exception_only(error))
    summary = "".join(traceback.StackSummary.from_list(list(_frames(source, is_persons))).format())
    ending = ": ".join(filter(None, (type(error).__name__, _message(error))))
    return f"Traceback (most recent call last):\n{summary}{ending}\n"


def _frames(source: TracebackType | None, is_persons: IsPersons) -> Iterator[traceback.FrameSummary]:
    while source is not None:
        code = source.tb_frame.f_code
        if is_persons(code.co_filename) or source.tb_next is None:
            line, end_line, column, end_column = next(islice(code.co_positions(), source.tb_lasti // 2, None))
            yield traceback.FrameSummary(
                code.co_filename,
                source.tb_lineno,
                code.co_name,
                end_lineno=end_line if line is not None else None,
                colno=column,
                end_colno=end_column,
            )
        source = source.tb_next
