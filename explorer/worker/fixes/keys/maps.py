"""Calls of vmap and pmap: their functions, axes and inner maps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from explorer.messages import Edit
from explorer.worker.fixes.functions import WRAPPERS, function_of, value_of
from explorer.worker.syntax.code_tree import CodeTree, last_name
from explorer.worker.syntax.scopes import FunctionNode

_MAPS = ("vmap", "pmap")


class VmappedFunction(msgspec.Struct, frozen=True):
    """One vmap: its call and its function."""

    made: ast.Call | None
    """``vmap(f, ...)`` or ``partial(vmap, ...)``; None for a decorator without arguments."""
    function: ast.AST

    def axes(self, count: int) -> list[object]:
        """Return its in_axes for `count` arguments.

        Raises ValueError if they are not constants, or not `count` entries.
        """
        found = self.written_axes(count)
        if len(found) != count:
            raise ValueError
        return found

    def written_axes(self, count: int) -> list[object]:
        """Return its in_axes as written, one for all as `count` entries. Raises ValueError if not constants."""
        written = self._written()
        axes = ast.literal_eval(written) if written is not None else 0
        return list(axes) if isinstance(axes, tuple | list) else [axes] * count

    def with_axes(self, code: CodeTree, axes: list[object]) -> Iterator[Edit]:
        """Yield the edit that sets its in_axes to `axes`, unless they are set already.

        Raises ValueError for a decorator without arguments.
        """
        written, new = self._written(), axes_text(axes)
        if written is not None:
            if ast.literal_eval(written) not in (0, axes) or any(each != 0 for each in axes):
                yield code.replace(written, new)
        elif any(each != 0 for each in axes):
            if self.made is None:
                raise ValueError
            yield code.insert_after(self.made.args[0], f", in_axes={new}")

    def _written(self) -> ast.expr | None:
        if self.made is None:
            return None
        named = next((each.value for each in self.made.keywords if each.arg == "in_axes"), None)
        by_position = last_name(self.made.func) in _MAPS and len(self.made.args) > 1
        return named or (self.made.args[1] if by_position else None)


def axes_text(axes: list[object]) -> str:
    """Return `axes` as in_axes is written."""
    return repr(axes[0]) if len(axes) == 1 else repr(tuple(axes))


def map_of(code: CodeTree, node: ast.AST) -> VmappedFunction | None:
    """Return the map behind the expression `node`, through names and jit, or None."""
    for _ in range(8):
        if isinstance(node, ast.Call) and last_name(node.func) in _MAPS and node.args:
            return VmappedFunction(node, node.args[0])
        if isinstance(node, ast.Call) and last_name(node.func) in WRAPPERS and node.args:
            node = node.args[0]
        elif isinstance(node, ast.FunctionDef):
            return next((each for each in map(_of_decorator, node.decorator_list, [node] * 99) if each), None)
        elif isinstance(node, ast.Name) and (found := value_of(code, node)) is not None:
            node = found
        else:
            return None
    return None


def _of_decorator(decorator: ast.expr, function: ast.FunctionDef) -> VmappedFunction | None:
    if last_name(decorator) in _MAPS:
        return VmappedFunction(None, function)
    if isinstance(decorator, ast.Call) and last_name(decorator.func) == "partial" and decorator.args:
        return VmappedFunction(decorator, function) if last_name(decorator.args[0]) in _MAPS else None
    return None


def chain(code: CodeTree, outer: ast.Call) -> list[VmappedFunction]:
    """Return the maps whose result `outer` calls, the outermost first."""
    found: list[VmappedFunction] = []
    here = map_of(code, outer.func)
    while here is not None and len(found) < 4:
        found.append(here)
        inside = here.function
        # A decorated function is already the map.
        here = None if isinstance(inside, FunctionNode) else map_of(code, inside)
    return found


def mapped_function(code: CodeTree, maps: list[VmappedFunction]) -> FunctionNode | None:
    """Return the function mapped by the innermost of `maps`, or None if it is not defined here."""
    return function_of(code, maps[-1].function)
