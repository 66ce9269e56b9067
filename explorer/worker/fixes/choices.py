"""Python's if and max on traced values, replaced by JAX operations.

See https://docs.jax.dev/en/latest/201/control-flow.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Fix
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes.fix_labels import label
from explorer.worker.syntax.code_tree import CodeTree, fix

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
    ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip
_ELEMENTWISE = {"max": "jnp.maximum", "min": "jnp.minimum"}


def choose_inside(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes that replace the if around the failing condition by jnp.where and jax.lax.cond."""
    for node in (scene.node, *scene.code.around(scene.node)):
        if isinstance(node, ast.IfExp) and (node is scene.node or _holds(node.test, scene.node)):
            yield from _choices(scene.code, node.test, [(node, "", node.body, node.orelse)])
            return
        if isinstance(node, ast.If) and (node is scene.node or _holds(node.test, scene.node)):
            yield from _choices(scene.code, node.test, _branches(scene.code, node))
            return
        if isinstance(node, ast.stmt):
            return


def elementwise(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that replaces Python's max or min of two values by jnp.maximum or jnp.minimum."""
    for call in scene.calls():
        if isinstance(call.func, ast.Name) and call.func.id in _ELEMENTWISE and len(call.args) == 2:
            new = _ELEMENTWISE[call.func.id]
            yield fix(scene.code, label("elementwise", new=new), scene.code.replace(call.func, new))


# -- the branches of an if ------------------------------------------------------------------------------------

Branch = tuple[ast.AST, str, ast.expr | str, ast.expr | str]
"""(replaced node, text before the new expression, value if true, value if false)"""


def _choices(code: CodeTree, test: ast.expr, branches: list[Branch]) -> Iterator[Fix]:
    if not branches:
        return
    asked = as_one_test(code, test)
    for name in ("where", "cond"):
        edits = [_choice(code, name, asked, branch) for branch in branches]
        yield fix(code, label(name), *edits)


def _choice(code: CodeTree, name: str, test: str, branch: Branch) -> Edit:
    place, before, yes, no = branch
    sides = [each if isinstance(each, str) else code.written(each) for each in (yes, no)]
    if name == "where":
        new = f"{before}jnp.where({test}, {sides[0]}, {sides[1]})"
    else:
        new = f"{before}jax.lax.cond({test}, lambda: {sides[0]}, lambda: {sides[1]})"
    if isinstance(place, ast.If):
        last = _end_of(code, place)
        return code.replace_through(place, last, new)
    assert isinstance(place, ast.expr)
    return code.replace(place, new)


def _end_of(code: CodeTree, statement: ast.If) -> ast.stmt:
    """Return the last statement decided by `statement`, including a following return."""
    if not statement.orelse and isinstance(statement.body[-1], ast.Return):
        follower = _next(code, statement)
        if follower is not None:
            return follower
    return statement


def _branches(code: CodeTree, statement: ast.If) -> list[Branch]:
    yes = statement.body
    follower = _next(code, statement) if isinstance(yes[-1], ast.Return) else None
    no = statement.orelse or ([follower] if follower else [])
    if len(yes) == 1 and isinstance(yes[0], ast.Return) and len(no) == 1 and isinstance(no[0], ast.Return):
        if yes[0].value and no[0].value:
            return [(statement, "return ", yes[0].value, no[0].value)]
        return []
    one, other = one_assignment(code, yes), one_assignment(code, no)
    if one is not None and not no:
        return [(statement, f"{one[0]} = ", one[1], one[0])]
    if one is not None and other is not None and one[0] == other[0]:
        return [(statement, f"{one[0]} = ", one[1], other[1])]
    return []


def _next(code: CodeTree, statement: ast.stmt) -> ast.stmt | None:
    block = getattr(code.parents[statement], "body", [])
    place = block.index(statement) if statement in block else len(block)
    return block[place + 1] if place + 1 < len(block) else None


def one_assignment(code: CodeTree, block: list[ast.stmt]) -> tuple[str, str] | None:
    """Return (name, new value) if `block` only sets one variable, else None."""
    if len(block) != 1:
        return None
    (only,) = block
    if isinstance(only, ast.Assign) and len(only.targets) == 1 and isinstance(only.targets[0], ast.Name):
        return only.targets[0].id, code.written(only.value)
    if isinstance(only, ast.AugAssign) and isinstance(only.target, ast.Name) and type(only.op) in OPERATORS:
        value = code.written(only.value)
        plain = isinstance(only.value, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript)
        return only.target.id, f"{only.target.id} {OPERATORS[type(only.op)]} {value if plain else f'({value})'}"
    return None


# -- conditions -----------------------------------------------------------------------------------------------


def as_one_test(code: CodeTree, test: ast.expr) -> str:
    """Return `test` as one traced boolean: ``and`` becomes ``&``, ``not`` ``jnp.logical_not``, a chain two tests."""
    if isinstance(test, ast.BoolOp):
        operator = " & " if isinstance(test.op, ast.And) else " | "
        return operator.join(f"({as_one_test(code, each)})" for each in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return f"jnp.logical_not({as_one_test(code, test.operand)})"
    if isinstance(test, ast.Compare) and len(test.ops) > 1:
        sides = [test.left, *test.comparators]
        text = [code.written(each) for each in sides]
        signs = [ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2] for op in test.ops]
        return " & ".join(f"({text[i]} {sign} {text[i + 1]})" for i, sign in enumerate(signs))
    if isinstance(test, ast.Call) and ast.unparse(test.func) == "bool" and len(test.args) == 1:
        return code.written(test.args[0])
    return code.written(test)


def _holds(node: ast.AST, part: ast.AST) -> bool:
    return any(each is part for each in ast.walk(node))
