"""Fix for gradients that end at a rounding: a straight-through estimator around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix

_ROUNDS = {"round", "rint", "floor", "ceil", "trunc", "fix", "around", "sign"}


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix for a call of ``round`` and the like with one name at the first of `spans`."""
    call = next((each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Call)), None)
    match call:
        case ast.Call(ast.Attribute(attr=name), [ast.Name(id=x)], []) if name in _ROUNDS:
            written = code.written(call)
            label = say("Let the gradient pass straight through {call}", call=written)
            yield fix(code, label, code.replace(call, f"({x} + jax.lax.stop_gradient({written} - {x}))"))
