"""Facts that the code around a call states: its purpose, and the names that its results get."""

from __future__ import annotations

import ast
import functools
import linecache
import re
from collections.abc import Iterator
from typing import Literal

from explorer.messages import Span

CallRole = Literal["fixed", "start", "dropped", "default", "repeated", "meant", "pictured"]
"""The purpose of a call.

- fixed: it receives a key whose name says that it is fixed, such as `eval_key`
- start: it makes first weights
- dropped: it calls JAX, and nothing takes the result
- default: it makes the default of an argument
- repeated: it is in a loop of Python, or is one of JAX
- meant: a comment says that it uses a key again
- pictured: its numbers only go into a picture
"""
_LOOPS = ast.For | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_JAX_LOOPS = {"scan", "fori_loop", "while_loop", "map"}
_CHOOSING = {"where", "select", "select_n"}
_STARTS = re.compile(r"[\w.]*\binit\w*\(")
_FIXED = re.compile(r"\b(eval|evaluation|test|val|valid|validation|fixed|plot|vis|preview|common)_(key|rng|seed)s?\b")
"""Names of keys that are often fixed on purpose, so that pictures and figures of different times are comparable."""

_SAID = re.compile(r"#.*\b(reus(e|es|ing)|same)\b( (the|this|same|prng|random))* (key|seed)\b", re.IGNORECASE)
_PICTURE = re.compile(r"(plt|ax(e?s)?\d*|fig)\b")


def text_of(filename: str, span: Span) -> str:
    lines = [linecache.getline(filename, number) for number in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1][: span.end_column]
    return "".join(lines)[span.column :]


def permuted_array(filename: str, span: Span) -> str:
    """Return the source text of the array whose rows the call of `permutation` at `span` puts in order, or ""."""
    call, parents = _call_at(filename, span)
    if call is None or last_name(call.func) != "permutation":
        return ""
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "x")]
    around = parents.get(call)
    return ast.unparse(around.value if isinstance(around, ast.Subscript) else given[0]) if given else ""


def underscore_targets(filename: str, span: Span) -> frozenset[int]:
    call, parents = _call_at(filename, span)
    match parents.get(call) if call is not None else None:
        case ast.Assign(targets=[ast.Tuple(elts=names)]):
            return frozenset(place for place, each in enumerate(names) if last_name(each).startswith("_"))
    return frozenset()


def chosen(filename: str, span: Span) -> Span | None:
    """Return the call of `where` or `select` that takes the numbers of the call at `span`, or others, by element.

    They may get a name on the way that is read only there.
    """
    call, parents = _call_at(filename, span)
    node, around = _combined(call, parents)
    if isinstance(around, ast.Assign):
        named = _named(around, _around(around, parents, ast.FunctionDef))
        node, around = _combined(named[-1], parents) if len(named) == 2 else (None, None)
    if isinstance(around, ast.Call) and node in around.args[1:] and last_name(around.func) in _CHOOSING:
        return Span(*_position(around), span.file)
    return None


def _named(assigned: ast.Assign, scope: ast.AST) -> list[ast.Name]:
    """Return where the name that is `assigned` stands in `scope`."""
    name = last_name(assigned.targets[0])
    return [each for each in ast.walk(scope) if isinstance(each, ast.Name) and each.id == name]


def _around(node: ast.AST, parents: dict[ast.AST, ast.AST], *kinds: type[ast.AST]) -> ast.AST:
    """Return the innermost of `kinds` around `node`, or the module."""
    while not isinstance(node, (ast.Module, *kinds)):
        node = parents[node]
    return node


def _combined(node: ast.AST | None, parents: dict[ast.AST, ast.AST]) -> tuple[ast.AST | None, ast.AST | None]:
    """Return the expression that combines `node` with others element by element, and what is around it."""
    around = parents.get(node) if node is not None else None
    while isinstance(around, ast.BinOp | ast.UnaryOp) and not isinstance(around.op, ast.MatMult):
        node, around = around, parents.get(around)
    return node, around


def call_roles(filename: str, span: Span, of_jax: bool) -> Iterator[CallRole]:
    """Yield the roles that the code around the call at `span` gives it."""
    text = text_of(filename, span)
    if _FIXED.search(text):
        yield "fixed"
    if _STARTS.match(text):
        yield "start"
    call, parents = _call_at(filename, span)
    around = parents.get(call) if call is not None else None
    outer: ast.AST | None = call
    while outer is not None and not isinstance(outer, _LOOPS | ast.FunctionDef | ast.Lambda):
        outer = parents.get(outer)
    if call is None or isinstance(outer, _LOOPS) or last_name(call.func) in _JAX_LOOPS:
        yield "repeated"
    if isinstance(around, ast.arguments):
        yield "default"
    while around is not None and last_name(getattr(around, "func", around)) == "block_until_ready":
        around = parents[around]
    if of_jax and isinstance(around, ast.Expr):
        yield "dropped"
    comment = linecache.getline(filename, span.end_line)[span.end_column :]
    if _SAID.search(text + comment):
        yield "meant"
    if isinstance(assigned := parents.get(call) if call is not None else None, ast.Assign):
        named = _named(assigned, _around(assigned, parents, ast.FunctionDef, ast.For))
        reads = [each for each in named if isinstance(each.ctx, ast.Load)]
        if reads and all(_is_in_a_picture(each, parents) for each in reads):
            yield "pictured"


def _is_in_a_picture(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    while not isinstance(node, ast.stmt):
        if isinstance(node, ast.Call) and _PICTURE.match(ast.unparse(node.func)):
            return True
        node = parents[node]
    return False


def _call_at(filename: str, span: Span) -> tuple[ast.Call | None, dict[ast.AST, ast.AST]]:
    """Return the call at `span`, and the parents of all nodes around it.

    Of a method called several lines below its object Python says where the name begins. No two calls end alike.
    """
    calls, parents = _calls("".join(linecache.getlines(filename)))
    call = calls.get((span.end_line, span.end_column))
    return call if call and _position(call)[:2] <= (span.line, span.column) else None, parents


@functools.lru_cache(maxsize=8)
def _calls(source: str) -> tuple[dict[tuple[int, int], ast.Call], dict[ast.AST, ast.AST]]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}, {}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    calls = (each for each in parents if isinstance(each, ast.Call))
    return {_position(each)[2:]: each for each in calls}, parents


def _position(call: ast.Call) -> tuple[int, int, int, int]:
    return call.lineno, call.col_offset, call.end_lineno or 0, call.end_col_offset or 0


def last_name(expression: ast.AST | None) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""
