"""Fixes for JAX's rules on values: concrete ones, static arguments, leaks, loop carries, losses, changes in place.

See https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import jax.numpy
import numpy

from explorer.messages import Edit, Fix, Span
from explorer.worker.errors.scene import ErrorScene, is_traced, names_behind
from explorer.worker.fixes.control_flow import OPERATORS
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import function_of
from explorer.worker.fixes.spelling import in_brackets
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


# -- values that stay arrays -----------------------------------------------------------------------------------------


_DTYPES = ("int", "float", "complex", "bool")
_TAKE_WHERE = ("sum", "mean", "prod", "any", "all", "std", "var")
_SIZED = ("nonzero", "flatnonzero", "argwhere", "where", "unique")


def keep_array(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that removes float(), int() or .item(), so that the value stays an array."""
    code = scene.code
    for call in scene.calls():
        if isinstance(call.func, ast.Name) and call.func.id in _DTYPES and len(call.args) == 1:
            new = f"{in_brackets(code, call.args[0])}.astype({call.func.id})"
            yield fix(code, label("keep_array", new=new), code.replace(call, new))
        elif isinstance(call.func, ast.Attribute) and call.func.attr in ("item", "tolist") and not call.args:
            new = code.written(call.func.value)
            yield fix(code, label("keep_array", new=new), code.replace(call, new))


def use_jnp(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that replaces NumPy's function by that of jax.numpy."""
    for call in scene.calls():
        function = call.func
        if not isinstance(function, ast.Attribute) or scene.value(function.value) is not numpy:
            continue
        if hasattr(jax.numpy, function.attr):
            old, new = scene.written(function), f"jnp.{function.attr}"
            yield fix(scene.code, label("jnp", old=old, new=new), scene.code.replace(function, new))


def blank_out(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes that keep the shape where a boolean mask selects values."""
    code = scene.code
    picked = next((each for each in code.covering(code.span(scene.node)) if isinstance(each, ast.Subscript)), None)
    if picked is None:
        return
    array, mask = code.written(picked.value), code.written(picked.slice)
    attribute = code.parents.get(picked)
    call = code.parents.get(attribute) if isinstance(attribute, ast.Attribute) else attribute
    if isinstance(call, ast.Call) and not call.keywords:
        name = attribute.attr if isinstance(attribute, ast.Attribute) else ast.unparse(call.func).rpartition(".")[2]
        if name in _TAKE_WHERE and len(call.args) == (0 if isinstance(attribute, ast.Attribute) else 1):
            new = f"jnp.{name}({array}, where={mask})"
            yield fix(code, label("reduce_where"), code.replace(call, new))
    yield fix(code, label("where_mask"), code.replace(picked, f"jnp.where({mask}, {array}, 0)"))


def say_size(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that passes `size`, the largest number of results, to jnp.nonzero and similar functions."""
    for call in scene.calls():
        name = ast.unparse(call.func).rpartition(".")[2]
        if name in _SIZED and len(call.args) == 1:
            inner = call.args[0]
            text = scene.written(inner)
            size = f"{text}.size" if isinstance(inner, ast.Name | ast.Attribute) else f"({text}).size"
            edit = scene.code.insert_after(call.args[-1], f", size={size}")
            yield fix(scene.code, label("sized", size=size), edit)


def slice_dynamically(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes for a slice with traced ends: ``x[i:i + 3]`` becomes dynamic, ``x[:n]`` needs a static end."""
    code = scene.code
    sliced = next((each for each in code.covering(code.span(scene.node)) if isinstance(each, ast.Subscript)), None)
    if sliced is None or not isinstance(sliced.slice, ast.Slice):
        return
    lower, upper = sliced.slice.lower, sliced.slice.upper
    added = upper if lower and isinstance(upper, ast.BinOp) and isinstance(upper.op, ast.Add) else None
    if lower and added and ast.unparse(added.left) == ast.unparse(lower):
        parts = ", ".join(code.written(each) for each in (sliced.value, lower, added.right))
        yield fix(code, label("dynamic_slice"), code.replace(sliced, f"jax.lax.dynamic_slice_in_dim({parts})"))
    ends = ast.Tuple([each for each in (lower, upper) if each], ast.Load())
    function = code.function_around(sliced)
    if function is not None:
        behind = names_behind(function, ends)
        names = [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg) and each.arg in behind]
        yield from static(scene, [name for name in names if is_traced(scene.values.get(name))])


def index_an_array(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that converts the indexed list to an array."""
    code = scene.code
    for picked in code.covering(code.span(scene.node)):
        if isinstance(picked, ast.Subscript) and not isinstance(picked.slice, ast.Slice):
            new = f"jnp.array({code.written(picked.value)})"
            yield fix(code, label("array_index"), code.replace(picked.value, new))
            return


def copy_out(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix for values appended to an outer list during a trace: copy them out at run time."""
    code = scene.code
    edits: list[Edit] = []
    for call in code.parents:
        match call, code.function_around(call):
            case ast.Call(func=ast.Attribute(ast.Name(name), "append" | "add") as target, args=[given]), function:
                if function is not None and name not in code.scopes[function].own:
                    new = f"jax.debug.callback({code.written(target)}, {code.written(given)})"
                    edits.append(code.replace(call, new))
    statement = code.statement_around(scene.node)
    if edits and statement is not None:
        # The values arrive after the device has run; their reader must wait.
        place = statement.lineno
        indent = code.lines[place - 1][: code.span(statement).column]
        edits.append(Edit(Span(place, 0, place, 0), "", f"{indent}jax.effects_barrier()\n"))
        yield fix(code, label("copy_out"), *edits)


# -- carries, losses and changes in place -----------------------------------------------------------------------------


_AT = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}


def initial_value(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that starts a loop with a value of the type returned by its body."""
    match = scene.search(
        r"has type (\w+)\[([\d,]*)\] but the corresponding output carry component has type (\w+)\[([\d,]*)\]"
    )
    if match is None:
        return
    for call in scene.calls():
        name = ast.unparse(call.func).rpartition(".")[2]
        place = {"scan": 1, "while_loop": 2, "fori_loop": 3}.get(name)
        if place is None:
            continue
        keyword = next((each.value for each in call.keywords if each.arg in ("init", "init_val")), None)
        start = keyword or (call.args[place] if len(call.args) > place else None)
        value = scene.value(start) if start is not None else None
        if start is None or not isinstance(start, ast.Constant) or not isinstance(value, int | float):
            continue
        shape = tuple(int(each) for each in match[4].split(",") if each)
        if shape:
            new = f"jnp.full({shape}, {value!r}, jnp.{match[3]})"
        else:
            new = repr(float(value)) if match[3].startswith("float") else f"jnp.{match[3]}({value!r})"
        yield fix(scene.code, label("initial", new=new), scene.code.replace(start, new))


def scalar_loss(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that sums the function under grad."""
    for call in scene.calls():
        inner = call.func
        if not isinstance(inner, ast.Call) or not inner.args:
            continue
        if ast.unparse(inner.func).rpartition(".")[2] in ("grad", "value_and_grad"):
            new = f"lambda *args: {in_brackets(scene.code, inner.args[0])}(*args).sum()"
            yield fix(scene.code, label("scalar_loss"), scene.code.replace(inner.args[0], new))


def changed_copy(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix for ``x[i] = value``."""
    code = scene.code
    statement = code.statement_around(scene.node)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, method = statement.targets[0], "set"
    elif isinstance(statement, ast.AugAssign) and OPERATORS.get(type(statement.op), "") in _AT:
        target, method = statement.target, _AT[OPERATORS[type(statement.op)]]
    else:
        return
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        name, index = target.value.id, code.written(target.slice)
        new = f"{name} = {name}.at[{index}].{method}({code.written(statement.value)})"
        yield fix(code, label("at_set"), code.replace(statement, new))
