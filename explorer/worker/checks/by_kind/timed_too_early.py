"""Watches a run for clocks that are read while JAX still computes what they should time.

Asynchronous dispatch: https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from types import CodeType, FrameType

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import say
from explorer.worker.internals import clocks
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.syntax.code_tree import CodeTree, code_file, last_name

KIND = "timed-too-early"
MOST_READINGS = 3
"""Maximum number of checked readings at one place."""
_WAITS = {"block_until_ready", "item", "tolist", "device_get", "effects_barrier", "array_equal", "allclose", "sleep"}
_WAITS |= {"assert_allclose", "assert_array_equal", "float", "int", "bool", "complex", "save", "savez"}
_WAITS |= {"lower", "compile"}
"""Functions and methods that wait for a result, or return when their work is done."""
_CONVERTS = {"asarray", "array", "float32", "float64"}
"""Functions of NumPy that wait for the array they convert."""


class Watch:
    """Detector for one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._clocks = clocks.Clocks(self._look)
        self._readings: dict[tuple[int, int], tuple[CodeType, _Reading | None]] = {}
        """By identity and instruction; the code is held on to, so that no other one gets its address."""
        self._started: dict[tuple[int, str], tuple[int, Span]] = {}
        """By the code, and the name of the time: the frame that read the clock while all was ready, and where."""
        self._found: dict[Span, Finding] = {}

    def watching(self) -> AbstractContextManager[Guard]:
        """Record the clock readings in the block."""
        return self._clocks.watching()

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each place."""
        return list(self._found.values())

    def _look(self, frame: FrameType) -> bool:
        """Return whether a time begins here, and none ends."""
        code, at = frame.f_code, frame.f_lasti
        if not self._is_user_code(code.co_filename):
            return False
        if (id(code), at) not in self._readings:
            self._readings[id(code), at] = code, self._reading(code, at)
        reading = self._readings[id(code), at][1]
        if reading is None:
            return False
        if reading.looks < MOST_READINGS:
            reading.looks += 1
            self._judge(reading, code, frame)
        return bool(reading.begins) and not reading.ends

    def _judge(self, reading: _Reading, code: CodeType, frame: FrameType) -> None:
        is_busy = clocks.still_computes()
        for name, text in reading.ends.items():
            frame_before, start = self._started.get((id(code), name), (0, reading.span))
            if is_busy and frame_before == id(frame) and text is not None:
                self._found.setdefault(reading.span, _finding(reading.span, start, text))
        if reading.begins:
            self._started[id(code), reading.begins] = (0 if is_busy else id(frame)), reading.span

    def _reading(self, code: CodeType, at: int) -> _Reading | None:
        span, tree = self._spans.span(code, at), code_file(code.co_filename)
        node = tree.at(span) if tree is not None and span is not None else None
        while isinstance(node, ast.Expr | ast.Return | ast.Assign):
            node = node.value
        if tree is None or span is None or not isinstance(node, ast.Call):
            return None
        return _Reading(tree, node, span)


class _Reading:
    """The purpose of one reading of a clock, as the code states it."""

    def __init__(self, code: CodeTree, node: ast.Call, span: Span) -> None:
        self.span, self.looks = span, 0
        self.begins = ""
        """The name of the variable that keeps the reading; empty for none."""
        self.ends: dict[str, str | None] = {}
        """The timed result, by the name of the earlier time; None without one, or if the code waits for it."""
        match code.parents.get(node):
            case ast.BinOp(left=left, op=ast.Sub(), right=ast.Name() | ast.Attribute() as other) if left is node:
                self._end(code, node, "", other)
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
                self.begins = code.written(target)
                for earlier in _taken_from(code, node, self.begins):
                    self._end(code, node, self.begins, earlier)

    def _end(self, code: CodeTree, node: ast.Call, name: str, other: ast.expr) -> None:
        """Record that `node`, called `name`, ends the time that began at `other`."""
        first = code.written(other)
        begin = _begin(code, node, first)
        is_waited_for = (
            begin is None or any(map(_is_wait, _between(code, begin, node))) or _goes_on(code, node, name, first)
        )
        timed = _timed(code, begin, node) if begin is not None and not is_waited_for else None
        self.ends[first] = timed


def _scope(code: CodeTree, node: ast.AST) -> ast.AST:
    return code.function_around(node) or code.tree


def _within(code: CodeTree, node: ast.AST) -> Iterator[ast.AST]:
    scope = _scope(code, node)
    return (each for each in ast.walk(scope) if _scope(code, each) is scope)


def _taken_from(code: CodeTree, node: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield the times that are taken from the one called `name`."""
    for each in _within(code, node):
        match each:
            case ast.BinOp(left=left, op=ast.Sub(), right=ast.Name() | ast.Attribute() as right):
                if isinstance(left, ast.Name | ast.Attribute) and code.written(left) == name:
                    yield right


def _begin(code: CodeTree, node: ast.AST, name: str) -> ast.Assign | None:
    """Return the last statement above `node` that gives the name `name` a time."""
    found = [
        each
        for each in _within(code, node)
        if isinstance(each, ast.Assign)
        and each.lineno < getattr(node, "lineno", 0)
        and isinstance(each.value, ast.Call)
        if code.written(each.targets[0]) == name
    ]
    return max(found, key=lambda each: each.lineno, default=None)


def _between(code: CodeTree, begin: ast.Assign, node: ast.Call) -> list[ast.AST]:
    lines = range((begin.end_lineno or begin.lineno) + 1, node.lineno)
    return [each for each in _within(code, node) if getattr(each, "lineno", 0) in lines]


def _is_wait(each: ast.AST) -> bool:
    if not isinstance(each, ast.Call):
        return False
    name, function = last_name(each.func), each.func
    if name in _CONVERTS:
        return isinstance(function, ast.Attribute) and getattr(function.value, "id", "") in ("np", "numpy", "onp")
    return name in _WAITS or (name == "print" and any(not isinstance(part, ast.Constant) for part in each.args))


def _goes_on(code: CodeTree, node: ast.Call, name: str, first: str) -> bool:
    """Return whether the code times the rest of the work, too: the time until here is then meant to be short."""
    begin = _begin(code, node, first)
    for each in _within(code, node):
        match each:
            case ast.BinOp(left=left, op=ast.Sub(), right=right) if left is not node:
                later: ast.AST | None = left
                if isinstance(left, ast.Name | ast.Attribute):
                    later = _begin(code, each, code.written(left))
                taken = code.written(right)
                if later is None or getattr(later, "lineno", 0) <= node.lineno:
                    continue
                if (name and taken == name) or (taken == first and _begin(code, later, first) is begin):
                    return True
    return False


def _timed(code: CodeTree, begin: ast.Assign, node: ast.Call) -> str | None:
    """Return the name of the last result computed between the readings; empty without a name."""
    between = _between(code, begin, node)
    given = [each for each in between if isinstance(each, ast.Assign) and any(map(_is_work, ast.walk(each.value)))]
    if given:
        # A tuple is written with parentheses: it is one argument of the call that waits.
        return ast.unparse(max(given, key=lambda each: each.lineno).targets[0])
    return "" if any(map(_is_work, between)) else None


def _is_work(each: ast.AST) -> bool:
    return isinstance(each, ast.Call | ast.BinOp)


def _finding(span: Span, start: Span, timed: str) -> Finding:
    parts: dict[str, object] = {"line": span.line, "first": start.line, "timed": timed}
    message = say(
        "The clock on line {line} is read while JAX still computes. A call returns at once, and its result follows "
        "later, so the time since line {first} is too short. Wait for the result before you read the clock: "
        "jax.block_until_ready({timed}).",
        **(parts | {"timed": timed or "result"}),
    )
    return Finding(KIND, "warning", message, tuple(dict.fromkeys((span, start))), lesson=lesson_of(KIND))
