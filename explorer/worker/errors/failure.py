"""An exception as a Failure: text, span in user code, meaning, traceback; and its scene, from which fixes come."""

from __future__ import annotations

import builtins
import difflib
import linecache
import re
from itertools import islice
from types import TracebackType
from typing import NamedTuple

from explorer.diagnostics.errors import explaining
from explorer.messages import Failure, Span
from explorer.messages.encodable import encodable_text
from explorer.text.text import Text, TextError, say
from explorer.worker.code.user_code import BadProgram
from explorer.worker.errors import explanations
from explorer.worker.errors.exception_text import (
    LONGEST_TEXT,
    IsUserCode,
    causes_of,
    first_text,
    is_a,
    short_traceback,
    syntax_traceback,
    text_of,
    traceback_of,
    type_names,
    whole_number,
)
from explorer.worker.errors.explanations import USUAL_IMPORTS, explanation, explanation_of_call
from explorer.worker.errors.scene import ErrorScene, scene_of
from explorer.worker.errors.shape_drawings import drawing
from explorer.worker.internals.spans import SpanFinder, traceback_positions, whole_line

_CALLBACK = "error calling callback: Traceback (most recent call last):\n"
_TRACEBACK_LINE = re.compile(r'  File "([^"\n]{1,1000})", line (\d{1,9}), in ')


class RaisedException(NamedTuple):
    """The known facts about an exception."""

    words: str
    """Its class and text."""
    span: Span | None
    """The innermost line of user code."""


def raised_in_callback(error: BaseException, is_user_code: IsUserCode) -> RaisedException | None:
    """Return the exception raised in a callback, None if `error` does not come from one."""
    if type_names(error)[0] not in ("JaxRuntimeError", "XlaRuntimeError"):
        return None
    # A nested callback passes on both tracebacks: the last one is the cause.
    _, begin, text = first_text(error).rpartition(_CALLBACK)
    if not begin:
        return None
    span, at = None, 0
    while place := _TRACEBACK_LINE.match(text, at):
        if is_user_code(place[1]):
            span = whole_line(place[1], int(place[2]))
        at = text.find("\n", place.end()) + 1 or len(text)
    return RaisedException(encodable_text(text[at : at + LONGEST_TEXT]).strip(), span)


LONGEST_NAME = 100
MOST_NAMES = 2000
"""Largest number of names to compare: a comparison takes about 10 microseconds."""


def missing_name(error: BaseException) -> str:
    """Return the missing name of the NameError `error`."""
    name = vars(NameError)["name"].__get__(error)
    if type(name) is str and name:
        return encodable_text(name[:LONGEST_NAME])
    return next(iter(re.findall(r"'([^']*)'", text_of(error))), "")[:LONGEST_NAME]


def near_name(error: BaseException) -> str:
    """Return the accessible name with the most similar spelling, or an empty text."""
    name = missing_name(error)
    alike = (each for each in _names_in_reach(error) if type(each) is str and abs(len(each) - len(name)) <= len(name))
    return next(iter(difflib.get_close_matches(name, islice(alike, MOST_NAMES), n=1)), "")


def _names_in_reach(error: BaseException) -> list[str]:
    last = traceback_of(error)
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame if last else None
    return [*frame.f_locals, *frame.f_globals, *dir(builtins)] if frame else []


_JAX = "https://docs.jax.dev/en/latest/"
_IN_TEXT = re.compile(r"https?://docs\.jax\.dev/\S+?(?=[.,;)]?(?:\s|$))")

_LINKS = (
    (r"\bvmap\b|single key", f"{_JAX}_autosummary/jax.vmap.html"),
    (r"PRNG|key<", f"{_JAX}random-numbers.html"),
    (r"concrete values|static", f"{_JAX}_autosummary/jax.jit.html"),
    (r"\bscan\b", f"{_JAX}_autosummary/jax.lax.scan.html"),
    (r"while_loop|body_fun", f"{_JAX}_autosummary/jax.lax.while_loop.html"),
    (r"\bcond\b", f"{_JAX}_autosummary/jax.lax.cond.html"),
    (r"\bgrad\b|Gradient only defined", f"{_JAX}_autosummary/jax.grad.html"),
    (r"broadcasting", "https://numpy.org/doc/stable/user/basics.broadcasting.html"),
    (r"RESOURCE_EXHAUSTED|[Oo]ut of memory", f"{_JAX}gpu_memory_allocation.html"),
    (r"Unknown backend", f"{_JAX}installation.html"),
)


def link(message: str) -> str:
    """Return the documentation address in `message`, or that of a related page; empty for none."""
    named = _IN_TEXT.search(message)
    if named:
        return named[0]
    return next((address for pattern, address in _LINKS if re.search(pattern, message)), "")


MESSAGE_LINES = 4
"""JAX's messages explain in their first lines; frames, advice and links follow."""

LONGEST_MESSAGE = 2000
MOST_LINES = 1_000_000
"""Largest line number accepted: a SyntaxError may name any line."""

_KEY_KIND = re.compile(
    r"impl=PRNGImpl\([^\n]{0,1000}?\bname='([^'\n]{0,100})'[^\n]{0,100}?\)(?=$|[\s,;.])", re.MULTILINE
)
"""JAX's text for a key implementation, with all its functions and their addresses."""
_ADDRESS = re.compile(r"(?<=\w) at 0x[0-9a-f]+(?=>)|(?<=Tracer) with object id \d+")
"""A memory address: different in each run."""
_LEAKED = re.compile(r"leaked intermediate value was created on line (?P<file>.+):(?P<line>\d+):(?P<column>\d+) \(")
_BOILERPLATE = re.compile(r"^(See https?://|-{5,}|To catch the leak earlier|When the value was created)")


def failure(error: BaseException, is_user_code: IsUserCode) -> Failure:
    """Return `error` as a value: message, innermost span in user code, explanation, short traceback.

    `is_user_code` decides by file name. Slow or failing methods of the error's class are skipped.
    """
    try:
        return _failure(error, is_user_code)
    except Exception:
        # The program may have changed anything that the code above relies on.
        return Failure(type_names(error)[0], text_of(error)[:LONGEST_MESSAGE], _line_of(error, is_user_code))


def _line_of(error: BaseException, is_user_code: IsUserCode) -> Span | None:
    entry, line = traceback_of(error), 0
    while entry is not None:
        if is_user_code(entry.tb_frame.f_code.co_filename):
            line = entry.tb_lineno
        entry = entry.tb_next
    return Span(line, 0, line, 1) if line else None


def _failure(error: BaseException, is_user_code: IsUserCode) -> Failure:
    source = _source(error, is_user_code)
    found = scene(error, is_user_code)
    in_callback = raised_in_callback(error, is_user_code)
    whole = in_callback.words if in_callback else text_of(error)
    message = _first_lines(whole) if in_callback else _message(error)
    words, known = _explanation(error, found, is_user_code), explaining(type_names(error), whole)
    is_syntax = is_a(error, SyntaxError)
    return Failure(
        type_names(error)[0],
        message,
        # The failing instruction covers more than the condition.
        found.code.span(found.test) if found and found.test else _span(error, source, is_user_code),
        words,
        syntax_traceback(error, str(message))
        if is_syntax
        else short_traceback(error, str(message), source, is_user_code),
        drawing=drawing(found) if found else "",
        original="" if is_a(error, SyntaxError, SystemExit) else whole.strip(),
        link=link(whole) if words and not is_syntax else "",
        lesson=known[0].lesson if known else "",
    )


def scene(error: BaseException, is_user_code: IsUserCode) -> ErrorScene | None:
    """Return the scene of `error`, from which fixes are made; None if its span is unknown."""
    source = _source(error, is_user_code)
    span = _span(error, source, is_user_code)
    return scene_of(error, source, span, is_user_code) if span and not is_a(error, SyntaxError) else None


def _source(error: BaseException, is_user_code: IsUserCode) -> TracebackType | None:
    """Return the traceback that leads to the operation in user code.

    When a transformation fails, its own traceback ends at the call of the transformed function; JAX chains an exception
    whose traceback ends at the operation.
    """
    for cause in causes_of(error):
        if type_names(cause)[0] == "JaxStackTraceBeforeTransformation" and any(
            is_user_code(code.co_filename) for code, _ in traceback_positions(traceback_of(cause))
        ):
            return traceback_of(cause)
    return traceback_of(error)


def _message(error: BaseException) -> Text | str:
    if is_a(error, SyntaxError):
        message = vars(SyntaxError)["msg"].__get__(error)
        return text_of(message)[:LONGEST_MESSAGE] if message else "invalid syntax"
    if is_a(error, SystemExit):
        return _quit(vars(SystemExit)["code"].__get__(error))
    if is_a(error, TextError) and isinstance(text := getattr(error, "text", None), Text):
        return text
    return _first_lines(text_of(error))


def _first_lines(text: str) -> str:
    lines = [line.rstrip() for line in _ADDRESS.sub("", _KEY_KIND.sub(r"impl=\1", text)).splitlines()]
    telling = [line for line in lines if line and not _BOILERPLATE.match(line)]
    return "\n".join(telling[:MESSAGE_LINES])[:LONGEST_MESSAGE]


def _quit(code: object) -> Text:
    if code is None or code is False or (type(code) in (int, str) and not code):
        return say("The program asked to quit.")
    words = text_of(code)[:LONGEST_MESSAGE]
    if type(code) is int:
        return say("The program asked to quit with code {code}.", code=words)
    return say("The program quit and said: {words}", words=words)


def _span(error: BaseException, source: TracebackType | None, is_user_code: IsUserCode) -> Span | None:
    if is_a(error, SyntaxError) and (from_syntax := _syntax_span(error, is_user_code)):
        return from_syntax
    if is_a(error, BadProgram) and isinstance(decided := getattr(error, "span", None), Span):
        return decided
    if (in_callback := raised_in_callback(error, is_user_code)) is not None and in_callback.span is not None:
        return in_callback.span
    return SpanFinder(is_user_code).innermost(traceback_positions(source)) or _where_leaked(error, is_user_code)


def _syntax_span(error: BaseException, is_user_code: IsUserCode) -> Span | None:
    """Return the span that a SyntaxError names; its attributes may hold anything."""
    names = ("lineno", "offset", "end_lineno", "end_offset")
    line, offset, end_line, end_offset = (
        whole_number(vars(SyntaxError)[name].__get__(error), MOST_LINES) for name in names
    )
    file = vars(SyntaxError)["filename"].__get__(error)
    if not line or not isinstance(file, str) or not is_user_code(file):
        return None
    start, end_line, end = max(0, offset - 1), max(line, end_line), end_offset - 1
    return Span(line, start, end_line, end if (end_line, end) > (line, start) else start + 1)


def _where_leaked(error: BaseException, is_user_code: IsUserCode) -> Span | None:
    """Return the span that made a leaked value; JAX may detect the leak only after all user code."""
    match = _LEAKED.search(text_of(error))
    if match is None or not is_user_code(match["file"]):
        return None
    line, column = int(match["line"]), int(match["column"])
    return Span(line, column, line, max(column + 1, len(linecache.getline(match["file"], line).rstrip())))


def _explanation(error: BaseException, found: ErrorScene | None, is_user_code: IsUserCode) -> Text:
    if is_a(error, NameError):
        return _explanation_of_name(error)
    if is_a(error, ModuleNotFoundError):
        files = (code.co_filename for code, _ in traceback_positions(traceback_of(error)))
        if of_module := explanations.explanation_of_import(error, next(filter(is_user_code, files), "")):
            return of_module
    called = found.function_of_jax() if found else ""
    of_call = explanation_of_call(called, text_of(error)) if called else Text()
    arguments, of_key = (found.arguments(), found.passes_one_key()) if found else ([], False)
    return of_call or explanation(type_names(error), text_of(error), arguments, of_key=of_key)


def _explanation_of_name(error: BaseException) -> Text:
    name = missing_name(error)
    parts = {"missing": say("Nothing called {name} exists at this point.", name=name), "name": name}
    if name in USUAL_IMPORTS:
        return say(
            "{missing} Add the line `{line}` at the top; or check the spelling.", line=USUAL_IMPORTS[name], **parts
        )
    if is_a(error, UnboundLocalError):
        return say(
            "{name} is local, because this function assigns to it, and it is read before that. Assign it first; or "
            "pass the outer value in as an argument.",
            name=name,
        )
    near = near_name(error)
    if near:
        return say("{missing} Did you mean {near}?", near=near, **parts)
    return say("{missing} Check the spelling; or define or import it above this line.", **parts)
