"""Fixes that make arguments static for jit, and fixes for values that cannot be static.

See https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Fix
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import function_of
from explorer.worker.syntax.code_tree import CodeTree, fix
from explorer.worker.syntax.scopes import FunctionNode

_JIT = ("jax.jit", "jit")
_PARTIAL = ("partial", "functools.partial")


def make_static(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that makes the arguments behind the failing value static."""
    yield from static(scene, scene.arguments())


def static(scene: ErrorScene, arguments: list[str], function: FunctionNode | None = None) -> Iterator[Fix]:
    """Yield the fix that makes `arguments` static, for `function` or the function around the failing place."""
    function = function or scene.code.function_around(scene.node)
    if not arguments or function is None:
        return
    for edit in _jit_edits(scene.code, function, arguments):
        yield fix(scene.code, label("static", argument=" and ".join(arguments)), edit)
        return


def tuple_for_list(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that passes tuples in place of lists."""
    for call in scene.calls():
        edits = []
        for argument in (*call.args, *(each.value for each in call.keywords)):
            if isinstance(argument, ast.List):
                inner = ", ".join(scene.written(each) for each in argument.elts)
                edits.append(scene.code.replace(argument, f"({inner}{',' * (len(argument.elts) == 1)})"))
            elif isinstance(scene.value(argument), list):
                edits.append(scene.code.replace(argument, f"tuple({scene.written(argument)})"))
        if edits:
            yield fix(scene.code, label("tuple"), *edits)
            return


def static_word(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that makes the argument static that cannot become an array."""
    match = scene.search(r"at path (\w+)")
    for call in scene.calls():
        function = function_of(scene.code, call.func)
        if match is not None and function is not None:
            yield from static(scene, [match[1]], function)


def _jit_edits(code: CodeTree, function: FunctionNode, arguments: list[str]) -> Iterator[Edit]:
    if isinstance(function, ast.FunctionDef):
        for decorator in function.decorator_list:
            if ast.unparse(decorator) in _JIT:
                yield code.insert_after(decorator, f"({_keyword(arguments)})")
            elif isinstance(decorator, ast.Call) and _applies_jit(decorator):
                yield _more_static(code, decorator, arguments)
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _JIT and node.args:
            first = node.args[0]
            named = isinstance(function, ast.FunctionDef) and isinstance(first, ast.Name) and first.id == function.name
            if named or first is function:
                yield _more_static(code, node, arguments)


def _applies_jit(call: ast.Call) -> bool:
    if ast.unparse(call.func) in _JIT:
        return True
    return ast.unparse(call.func) in _PARTIAL and bool(call.args) and ast.unparse(call.args[0]) in _JIT


def _more_static(code: CodeTree, call: ast.Call, arguments: list[str]) -> Edit:
    """Return the edit that adds `arguments` to the static arguments of this call of jit."""
    for keyword in call.keywords:
        if keyword.arg == "static_argnames":
            value = keyword.value
            old = [value] if isinstance(value, ast.Constant) else getattr(value, "elts", [])
            names = [str(each.value) for each in old if isinstance(each, ast.Constant)]
            return code.replace(value, _names([*names, *arguments]))
    last = call.keywords[-1].value if call.keywords else call.args[-1] if call.args else None
    if last is None:
        return code.replace(call, f"{code.written(call.func)}({_keyword(arguments)})")
    return code.insert_after(last, f", {_keyword(arguments)}")


def _keyword(arguments: list[str]) -> str:
    return f"static_argnames={_names(arguments)}"


def _names(arguments: list[str]) -> str:
    words = [f'"{each}"' for each in arguments]
    return words[0] if len(words) == 1 else f"({', '.join(words)})"
