"""All that a fix needs of an error (`ErrorScene`): text, code, accessible values; names, tracers behind a value."""

from __future__ import annotations

import ast
import linecache
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from types import FrameType, TracebackType
from typing import Any

import jax
import msgspec

from explorer.messages import Span
from explorer.worker.code.trees import leaves
from explorer.worker.errors.exception_text import text_of, type_names
from explorer.worker.syntax.code_tree import CodeTree, readable
from explorer.worker.syntax.scopes import FunctionNode, Placed

_MAKE_KEYS = ("jax.random.key", "random.key", "jr.key")
_STATIC_PARTS = frozenset({"shape", "ndim", "dtype", "size"})


class ErrorScene(msgspec.Struct, frozen=True):
    """One error of the user's program."""

    error: BaseException
    message: str
    code: CodeTree
    node: ast.expr | ast.stmt
    """The innermost node that contains the failing instruction."""
    values: Mapping[str, Any]
    """The variables of the failing function, and of its module."""

    @property
    def test(self) -> ast.expr | None:
        """The condition of the failing branch, loop or assertion, else None."""
        node = self.node
        return node.test if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else None

    def is_a(self, *types: str) -> bool:
        """Return whether the error is an instance of these classes, given by name."""
        return not set(types).isdisjoint(type_names(self.error))

    def search(self, pattern: str) -> re.Match[str] | None:
        """Return the match of `pattern` in the text of the error, or None."""
        return re.search(pattern, self.message, re.DOTALL)

    def written(self, node: Placed) -> str:
        """Return the source text of `node`."""
        return self.code.written(node)

    def value(self, node: ast.AST) -> Any:
        """Return the value of a name or a dotted name, None if not accessible. No property is read."""
        if isinstance(node, ast.Name):
            return self.values.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            return getattr(owner, "__dict__", {}).get(node.attr) if type(owner).__name__ == "module" else None
        return node.value if isinstance(node, ast.Constant) else None

    def calls(self) -> Iterator[ast.Call]:
        """Yield the calls around the failing node within its statement, innermost first."""
        for each in (self.node, *self.code.around(self.node)):
            if isinstance(each, ast.stmt) and each is not self.node:
                return
            if isinstance(each, ast.Call):
                yield each

    def function_of_jax(self) -> str:
        """Return the source text of the function in the innermost call, "" unless it belongs to JAX."""
        call = next(self.calls(), None)
        if call is None:
            return ""
        owner = getattr(self.value(call.func), "__module__", "")
        return self.written(call.func) if isinstance(owner, str) and owner.partition(".")[0] == "jax" else ""

    def is_key(self, node: ast.AST) -> bool:
        """Return whether the value of `node` is one or several typed keys."""
        value = self.value(node)
        return isinstance(value, jax.Array) and jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key)

    def passes_one_key(self) -> bool:
        """Return whether the innermost call has a single key among its arguments, and no other scalar that is known."""
        call = next(self.calls(), None)
        values = [(each, self.value(each)) for each in call.args] if call else []
        scalars = [
            each
            for each, value in values
            if isinstance(value, int | float | complex) or (isinstance(value, jax.Array) and value.ndim == 0)
        ]
        made = [each for each, _ in values if isinstance(each, ast.Call) and self.written(each.func) in _MAKE_KEYS]
        return bool(scalars or made) and all(map(self.is_key, scalars))

    def arguments(self, node: ast.AST | None = None) -> list[str]:
        """Return the traced arguments of the function around `node` that its value depends on."""
        node = node or self.test or self.node
        function = self.code.function_around(node)
        if function is None:
            return []
        behind = names_behind(function, node)
        every = [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)]
        return [name for name in every if name in behind and is_traced(self.values.get(name))]


def scene_of(
    error: BaseException, source: TracebackType | None, span: Span, is_user_code: Callable[[str], bool]
) -> ErrorScene | None:
    """Return the scene of `error`, whose traceback `source` leads to `span`; None without the code."""
    frames = list(_frames(source, is_user_code))
    if not frames:
        return None
    frame = frames[-1]
    code = readable("".join(linecache.getlines(frame.f_code.co_filename)))
    node = next(code.covering(span), None) if code else None
    if code is None or node is None:
        return None
    return ErrorScene(error, text_of(error), code, node, ChainMap(dict(frame.f_locals), frame.f_globals))


def names_behind(function: FunctionNode, node: ast.AST) -> set[str]:
    """Return the names that the value of `node` depends on, through assignments in `function`."""
    wanted = _read(node)
    before = 0
    while len(wanted) != before:
        before = len(wanted)
        for each in ast.walk(function):
            if isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr) and each.value:
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                if wanted & {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}:
                    wanted |= _read(each.value)
    return wanted


def is_traced(value: Any) -> bool:
    """Return whether `value` is or contains a tracer."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in leaves(value))


def _read(node: ast.AST) -> set[str]:
    """Return the names whose values `node` reads; a shape is known without its value."""
    if isinstance(node, ast.Attribute) and node.attr in _STATIC_PARTS:
        return set()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    return {name for child in ast.iter_child_nodes(node) for name in _read(child)}


def _frames(source: TracebackType | None, is_user_code: Callable[[str], bool]) -> Iterator[FrameType]:
    """Yield the frames of user code, outermost first."""
    while source is not None:
        if is_user_code(source.tb_frame.f_code.co_filename):
            yield source.tb_frame
        source = source.tb_next
