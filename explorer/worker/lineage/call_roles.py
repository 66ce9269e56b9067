"""Facts that the code around a call states: its purpose, the names of its results, the array that it shuffles."""

from __future__ import annotations

import ast
import functools
import linecache
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

import msgspec

from explorer.messages import Span
from explorer.worker.syntax.code_tree import CodeTree, code_file, last_name

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
    code, call = _call_at(filename, span)
    if code is None or call is None or last_name(call.func) != "permutation":
        return ""
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "x")]
    around = code.parents[call]
    return ast.unparse(around.value if isinstance(around, ast.Subscript) else given[0]) if given else ""


def underscore_targets(filename: str, span: Span) -> frozenset[int]:
    code, call = _call_at(filename, span)
    match code.parents[call] if code is not None and call is not None else None:
        case ast.Assign(targets=[ast.Tuple(elts=names)]):
            return frozenset(place for place, each in enumerate(names) if last_name(each).startswith("_"))
    return frozenset()


def chosen(filename: str, span: Span) -> Span | None:
    """Return the call of `where` or `select` that takes the numbers of the call at `span`, or others, by element.

    They may get a name on the way that is read only there.
    """
    code, call = _call_at(filename, span)
    if code is None or call is None:
        return None
    node, around = _combined(code, call)
    if isinstance(around, ast.Assign):
        named = _named(code, around, ast.FunctionDef)
        if len(named) != 2:
            return None
        node, around = _combined(code, named[-1])
    if isinstance(around, ast.Call) and node in around.args[1:] and last_name(around.func) in _CHOOSING:
        return msgspec.structs.replace(code.span(around), file=span.file)
    return None


def _named(code: CodeTree, assigned: ast.Assign, *kinds: type[ast.AST]) -> list[ast.Name]:
    """Return where the name that is `assigned` stands in the innermost of `kinds` around it, or in the module."""
    name = last_name(assigned.targets[0])
    within = next((each for each in code.around(assigned) if isinstance(each, kinds)), code.tree)
    return _names_in(within)[name]


@functools.lru_cache(maxsize=64)
def _names_in(node: ast.AST) -> dict[str, list[ast.Name]]:
    """Return the names in `node`: a long function is asked for those of many of its calls."""
    found = defaultdict(list)
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            found[each.id].append(each)
    return found


def _combined(code: CodeTree, node: ast.AST) -> tuple[ast.AST, ast.AST]:
    """Return the expression that combines `node` with others element by element, and what is around it."""
    around = code.parents[node]
    while isinstance(around, ast.BinOp | ast.UnaryOp) and not isinstance(around.op, ast.MatMult):
        node, around = around, code.parents[around]
    return node, around


def call_roles(filename: str, span: Span, of_jax: bool) -> Iterator[CallRole]:
    """Yield the roles that the code around the call at `span` gives it."""
    text = text_of(filename, span)
    if _FIXED.search(text):
        yield "fixed"
    if _STARTS.match(text):
        yield "start"
    comment = linecache.getline(filename, span.end_line)[span.end_column :]
    if _SAID.search(text + comment):
        yield "meant"
    code, call = _call_at(filename, span)
    if code is None or call is None:
        yield "repeated"
        return
    outer = next((each for each in code.around(call) if isinstance(each, _LOOPS | ast.FunctionDef | ast.Lambda)), None)
    if isinstance(outer, _LOOPS) or last_name(call.func) in _JAX_LOOPS:
        yield "repeated"
    around = code.parents[call]
    if isinstance(around, ast.Assign):
        reads = [each for each in _named(code, around, ast.FunctionDef, ast.For) if isinstance(each.ctx, ast.Load)]
        if reads and all(_is_in_a_picture(code, each) for each in reads):
            yield "pictured"
    if isinstance(around, ast.arguments):
        yield "default"
    while last_name(getattr(around, "func", around)) == "block_until_ready":
        around = code.parents[around]
    if of_jax and isinstance(around, ast.Expr):
        yield "dropped"


def _is_in_a_picture(code: CodeTree, node: ast.AST) -> bool:
    for each in code.around(node):
        if isinstance(each, ast.Call) and _PICTURE.match(ast.unparse(each.func)):
            return True
        if isinstance(each, ast.stmt):
            break
    return False


def _call_at(filename: str, span: Span) -> tuple[CodeTree | None, ast.Call | None]:
    code = code_file(filename)
    return code, code.call_at(span) if code is not None else None
