"""Names that are missing, lists that cannot be static, devices that are not there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Fix
from explorer.worker.errors.code_tree import FunctionNode, fix, import_fix
from explorer.worker.errors.near_names import USUAL_IMPORTS, near_name
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.concrete_values import static
from explorer.worker.fixes.words import label


def missing_name(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that imports a usual name, or writes the name that was meant."""
    error = scene.error
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return
    name = error.name or ""
    if name in USUAL_IMPORTS:
        line = USUAL_IMPORTS[name]
        yield import_fix(scene.code, label("import", line=line), line)
    near = near_name(error)
    if near and isinstance(scene.node, ast.Name) and scene.node.id == name:
        yield fix(scene.code, label("rename", new=near), scene.code.replace(scene.node, near))


def tuple_for_list(scene: Scene) -> Iterator[Fix]:
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


def static_word(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that makes the argument static that cannot become an array."""
    match = scene.search(r"at path (\w+)")
    for call in scene.calls():
        function = _called(scene, call.func)
        if match is not None and function is not None:
            yield from static(scene, [match[1]], function)


def devices_there(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that asks for the devices that there are."""
    for call in scene.calls():
        if ast.unparse(call.func) in ("jax.devices", "jax.local_devices") and (call.args or call.keywords):
            new = f"{scene.written(call.func)}()"
            yield fix(scene.code, label("devices"), scene.code.replace(call, new))


def _called(scene: Scene, function: ast.expr) -> FunctionNode | None:
    """Return the function of the person's that `function` calls, through jit and names."""
    if isinstance(function, FunctionNode):
        return function
    if isinstance(function, ast.Call) and function.args:
        return _called(scene, function.args[0])
    if isinstance(function, ast.Name):
        for node in ast.walk(scene.code.tree):
            if isinstance(node, ast.FunctionDef) and node.name == function.id:
                return node
            if isinstance(node, ast.Assign) and any(getattr(each, "id", "") == function.id for each in node.targets):
                return _called(scene, node.value) if not isinstance(node.value, ast.Name) else None
    return None
