"""What mends a finding: a key for each example where they share one, a split before a second use, one jit, a where."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress

from explorer.messages import Finding, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, fix, readable
from explorer.worker.fixes.keys import for_each, for_each_use
from explorer.worker.fixes.silent import bounds, host_random, host_state, jit_once, tracers, types
from explorer.worker.fixes.words import label

Maker = Callable[[CodeTree, tuple[Span, ...]], Iterator[Fix]]
OF_KEYS = ("shared-noise", "key-reuse")
"""Kinds of finding at level bug that are about keys."""


def proposed_for_finding(finding: Finding, text: str) -> Iterator[Fix]:
    """Yield the fixes to try for `finding` of the code `text`, each once, the most fitting first; not tried yet."""
    code = readable(text)
    makers: dict[str, Maker] = {
        "shared-noise": lambda code, _spans: for_each.proposed(code, finding),
        "key-reuse": lambda code, _spans: for_each_use.proposed(code, finding),
        "recompiles": jit_once.before_the_loop,
        "nan": _where_before,
        "host-random": host_random.proposed,
        "host-state": host_state.proposed,
        "leaked-tracer": tracers.proposed,
        "out-of-bounds": lambda code, _spans: bounds.proposed(code, finding),
        "silent-cast": types.proposed,
    }
    maker = makers.get(finding.kind)
    found: list[Fix] = []
    # The code may have any form: a maker that meets one it does not know has nothing to offer.
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        for each in maker(code, finding.spans) if code and maker else ():
            if each not in found:
                found.append(each)
                yield each


def _where_before(code: CodeTree, spans: tuple[Span, ...]) -> Iterator[Fix]:
    """Yield the fix that keeps away from an operation the numbers which a where around it does not choose."""
    for span in spans:
        operation = next((each for each in code.covering(span) if isinstance(each, ast.expr)), None)
        if operation is None:
            continue
        inner: ast.AST = operation
        for outer in code.around(operation):
            if isinstance(outer, ast.Call) and _is_where(outer) and inner in outer.args[1:]:
                operand = operation.right if isinstance(operation, ast.BinOp) else _only_argument(operation)
                if operand is None:
                    return
                where, condition, value = map(code.written, (outer.func, outer.args[0], operand))
                chosen = f"{value}, 1.0" if inner is outer.args[1] else f"1.0, {value}"
                new = f"{where}({condition}, {chosen})"
                yield fix(code, label("where_before", value=value), code.replace(operand, new))
                return
            inner = outer


def _is_where(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "where" and len(call.args) == 3


def _only_argument(operation: ast.expr) -> ast.expr | None:
    return operation.args[0] if isinstance(operation, ast.Call) and len(operation.args) == 1 else None
