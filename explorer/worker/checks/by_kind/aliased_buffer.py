"""NumPy arrays that are changed although an array of JAX has their memory, and is used afterwards.

``jax.device_put`` copies nothing if the memory is aligned: https://github.com/jax-ml/jax/issues/37830.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import say
from explorer.worker.checks import array_flow
from explorer.worker.errors.code_flow import Code, called
from explorer.worker.internals import shared_memory
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.shared_memory import Shared
from explorer.worker.internals.spans import SpanFinder

KIND = "aliased-buffer"
_PUTS = re.compile(r"device_put")
_CHANGES = {
    "fill",
    "sort",
    "partition",
    "put",
    "itemset",
    "resize",
    "byteswap",
    "shuffle",
    "copyto",
    "place",
    "putmask",
}
_CHANGES |= {"readinto", "random", "standard_normal", "setfield", "put_along_axis", "fill_diagonal"}
"""Methods of NumPy's arrays, and functions, that change their first argument. Of some, only ``out``."""
_OF_FORM = {"shape", "dtype", "ndim", "size", "nbytes", "sharding", "device", "devices", "itemsize"}
_LOOPS = ast.For | ast.While


def may_find(source: str) -> bool:
    """Return whether `source` may put an array on a device."""
    return _PUTS.search(source) is not None


class _Put:
    """A place that puts a NumPy array on a device."""

    def __init__(self, code: Code, call: ast.Call, span: Span) -> None:
        self.code, self.call, self.span = code, call, span
        arguments = [part for each in call.args for part in ast.walk(each)]
        self.buffers = {each.id for each in arguments if isinstance(each, ast.Name)}
        self.change = next(self._used_after_changes(), None)

    def _used_after_changes(self) -> Iterator[ast.stmt]:
        """Yield the statements that change a buffer, if what was made of it is read after them."""
        statement = self.code.tree.statement_around(self.call)
        if statement is not None:
            names = set(self._names(statement))
            for change in self.changes():
                if any(self._comes_after(change, statement, each) for each in self._reads(names)):
                    yield change

    def _names(self, statement: ast.stmt) -> Iterator[str]:
        """Yield the names that the array is given to, alone or in a container."""
        for each in self.code.tree.around(self.call):
            if each is statement:
                targets = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", each)]
                parts = [part for target in targets for part in ast.walk(target)]
                yield from (part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
            if not isinstance(each, ast.Tuple | ast.List | ast.Dict):
                return

    def _within(self) -> Iterator[ast.AST]:
        scope = self.code.tree.function_around(self.call) or self.code.tree.tree
        return ast.walk(scope)

    def changes(self) -> list[ast.stmt]:
        """Return the statements around that change a buffer."""
        statements = [each for each in self._within() if isinstance(each, ast.stmt)]
        found = [each for each in statements if any(map(self._is_buffer, _changed(each)))]
        return sorted(found, key=lambda each: each.lineno)

    def _is_buffer(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Subscript | ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.buffers

    def _reads(self, names: set[str]) -> Iterator[ast.Name]:
        for each in self._within():
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in names:
                parent = self.code.tree.parents[each]
                if not (isinstance(parent, ast.Attribute) and parent.attr in _OF_FORM):
                    yield each

    def _comes_after(self, change: ast.stmt, put: ast.stmt, read: ast.Name) -> bool:
        """Return whether `read` gets the array of `put` after `change`."""
        if put.lineno < change.lineno <= read.lineno and change.end_lineno != read.lineno:
            return not self._is_given_anew(read.id, put.end_lineno or put.lineno, read.lineno)
        around = [each for each in self.code.tree.around(change) if isinstance(each, _LOOPS)]
        loop = next((each for each in around if each in set(self.code.tree.around(read))), None)
        # In the next iteration, if the array is made before the loop.
        return loop is not None and put not in set(ast.walk(loop)) and put.lineno < loop.lineno

    def _is_given_anew(self, name: str, first: int, last: int) -> bool:
        return any(
            isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == name
            for each in self._within()
            if first < getattr(each, "lineno", 0) < last
        )


def _changed(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that `statement` changes in place."""
    match statement:
        case ast.Assign(targets=targets):
            yield from (each for each in targets if isinstance(each, ast.Subscript))
        case ast.AugAssign(target=target):
            yield target
        case ast.Expr(value=ast.Call(func=function, args=arguments) as call):
            name = called(call)
            if isinstance(function, ast.Attribute) and name in _CHANGES and not arguments[:1]:
                yield function.value
            elif name in _CHANGES:
                yield from (function.value,) if isinstance(function, ast.Attribute) else ()
                yield from arguments[:1]
            yield from (each.value for each in call.keywords if each.arg == "out")


class Watch:
    """Detector for one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._guard = Guard()
        self._shared: dict[int, tuple[Shared, _Put]] = {}
        """By running number."""
        self._count = 0
        self._places: dict[tuple[int, int], tuple[CodeType, _Put]] = {}
        """By identity and instruction; the code is held on to, so that no other one gets its address."""
        self._found: dict[Span, Finding] = {}

    @contextmanager
    def watching(self) -> Iterator[Guard]:
        """Record the arrays in the block that share their memory."""
        with shared_memory.watching(self._look) as self._guard:
            yield self._guard

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each place whose array was changed and used afterwards."""
        for number in list(self._shared):
            self._guard(self._judge, number)
        return list(self._found.values())

    def _look(self, frame: FrameType, shared: Shared) -> None:
        put = self._put(frame)
        if put is not None:
            self._look_at_earlier(shared)
            self._count += 1
            number = self._count
            self._shared[number] = shared, put
            shared.at_its_end(lambda: self._guard(self._judge, number))

    def _put(self, frame: FrameType) -> _Put | None:
        """Return the place that puts the array on a device; a function that only returns it is none."""
        inner: FrameType | None = frame
        while inner is not None and not self._is_user_code(inner.f_code.co_filename):
            inner = inner.f_back
        if inner is None:
            return None
        key = id(inner.f_code), inner.f_lasti
        if key in self._places:
            return self._places[key][1]
        stack = array_flow.Stack(inner, self._is_user_code, self._spans)
        for place, (code, call, span) in enumerate(stack.calls()):
            if not isinstance(code.tree.parents.get(call), ast.Return | ast.Lambda):
                put = _Put(code, call, span)
                if place == 0:
                    self._places[key] = inner.f_code, put
                return put
        return None

    def _look_at_earlier(self, shared: Shared) -> None:
        """Report the arrays of the same memory that the program still keeps. The last one may be replaced just now."""
        alike = [(each, put) for each, put in self._shared.values() if each.address == shared.address and each.is_alive]
        for each, put in alike[:-1]:
            changes = put.changes()
            if changes and each.has_changed:
                self._report(put, changes[0])

    def _judge(self, number: int) -> None:
        shared, put = self._shared.pop(number)
        if put.change is not None and shared.has_changed:
            self._report(put, put.change)

    def _report(self, put: _Put, change: ast.stmt) -> None:
        self._found.setdefault(put.span, _finding(put, change))


def _finding(put: _Put, change: ast.stmt) -> Finding:
    place = msgspec.structs.replace(put.code.tree.span(change), file=put.span.file)
    named = (each for each in put.call.args[:1] if isinstance(each, ast.Name | ast.Attribute | ast.Subscript))
    buffer = next(map(put.code.tree.written, named), "x")
    message = say(
        "The array that line {line} puts on a device shares its memory with NumPy, and line {changed} changes that "
        "memory. The array of JAX, which is used afterwards, changes too. Put a copy on the device: {copied}.",
        line=put.span.line,
        changed=place.line,
        copied=f"`jax.device_put({buffer}.copy())`",
    )
    return Finding(KIND, "bug", message, tuple(dict.fromkeys((put.span, place))), lesson=lesson_of(KIND))
