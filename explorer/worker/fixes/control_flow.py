"""Fixes for Python's if, max and loops on traced values: JAX operations instead of them.

See https://docs.jax.dev/en/latest/201/control-flow.html.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

from explorer.messages import Edit, Fix
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.spelling import in_brackets
from explorer.worker.syntax.code_tree import CodeTree, fix

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
    ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip
_ELEMENTWISE = {"max": "jnp.maximum", "min": "jnp.minimum"}
_STAYS_PYTHON = (
    ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.NamedExpr, ast.comprehension,
)  # fmt: skip
"""Statements that keep a loop in Python: they leave it, or define names of their own."""


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
        return only.target.id, f"{only.target.id} {OPERATORS[type(only.op)]} {in_brackets(code, only.value)}"
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


# -- loops ----------------------------------------------------------------------------------------------------


def loop_inside(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that rewrites a Python loop as a JAX loop with the assigned variables as its carry."""
    code = scene.code
    around = (scene.node, *code.around(scene.node))
    loop = next((each for each in around if isinstance(each, ast.While | ast.For)), None)
    if loop is None or loop.orelse:
        return
    only = one_assignment(code, loop.body)
    carried = [only[0]] if only else _carried(loop, scene)
    if not carried:
        return
    if isinstance(loop, ast.While):
        name, before, asked = "while_loop", "", as_one_test(code, loop.test)
        first = [f"lambda {carried[0]}: {asked}" if only else "goes_on"]
        made = [] if only else [*_function("goes_on", "", carried, [f"return {asked}"]), ""]
    else:
        ends = [code.written(each) for each in getattr(loop.iter, "args", [])]
        if not isinstance(loop.target, ast.Name) or not _is_range(loop.iter) or len(ends) not in (1, 2):
            return
        name, before, first, made = "fori_loop", f"{loop.target.id}, ", ["0", *ends][-2:], []
    if not only:
        lines = textwrap.dedent("\n".join(code.lines[loop.body[0].lineno - 1 : loop.body[-1].end_lineno])).split("\n")
        made += [*_function("one_round", before, carried, [*lines, f"return {', '.join(carried)}"]), ""]
    step = f"lambda {before}{only[0]}: {only[1]}" if only else "one_round"
    made.append(f"{', '.join(carried)} = jax.lax.{name}({', '.join([*first, step, _state(carried)])})")
    new = textwrap.indent("\n".join(made), " " * code.span(loop).column).lstrip()
    yield fix(code, label(name), code.replace(loop, new))


def _carried(loop: ast.While | ast.For, scene: ErrorScene) -> list[str]:
    """Return the variables that `loop` assigns and that existed before; [] if it must stay a Python loop."""
    if any(isinstance(each, _STAYS_PYTHON) for each in ast.walk(loop)) or loop.body[0].lineno == loop.lineno:
        return []
    return [name for name in _assigned(loop.body) if name in scene.values]


def _function(name: str, before: str, carried: Sequence[str], body: Sequence[str]) -> list[str]:
    """Return the lines of a function of the state, which it unpacks if it holds several variables."""
    if len(carried) == 1:
        return [f"def {name}({before}{carried[0]}):", *_indented(body)]
    return [f"def {name}({before}state):", *_indented([f"{', '.join(carried)} = state", *body])]


def _state(carried: Sequence[str]) -> str:
    return carried[0] if len(carried) == 1 else f"({', '.join(carried)})"


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and not node.keywords


def _assigned(body: Sequence[ast.stmt]) -> list[str]:
    """Return the names that `body` assigns, without repetition, in source order."""
    names = [
        each
        for part in body
        for each in ast.walk(part)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    names.sort(key=lambda name: (name.lineno, name.col_offset))
    return list(dict.fromkeys(each.id for each in names))
