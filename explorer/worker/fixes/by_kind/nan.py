"""The double-``where`` fix: a second ``where`` before an operation, so that its unused slope stays finite.

With one alone, the backward pass multiplies zero by inf: NaN (https://github.com/jax-ml/jax/issues/1052 and
https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.worker.fixes.fix_labels import label
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that keep numbers which a surrounding where does not select away from an operation.

    The where may also surround a name assigned from the operation on an earlier line. The operands of the operation
    itself come first, then those of nested ones.
    """
    for span in finding.spans:
        operation = next((each for each in code.covering(span) if isinstance(each, ast.expr)), None)
        if operation is None:
            continue
        places = (operation, *_uses(code, operation))
        found = next(filter(None, (_where_around(code, place) for place in places)), None)
        if found is not None:
            yield from _fixes(code, operation, *found)
            return


def _fixes(code: CodeTree, operation: ast.expr, where: ast.Call, is_first: bool) -> Iterator[Fix]:
    for operand in _operands(operation):
        condition, value = map(code.written, (where.args[0], operand))
        chosen = f"{value}, 1.0" if is_first else f"1.0, {value}"
        new = f"{_function(code, where)}({condition}, {chosen})"
        yield fix(code, label("where_before", value=value), code.replace(operand, new))


def _operands(operation: ast.expr) -> Iterator[ast.expr]:
    """Yield the operands with possibly infinite slopes: the divisor of a quotient, the base of a power."""
    for each in ast.walk(operation):
        if isinstance(each, ast.BinOp):
            yield each.left if isinstance(each.op, ast.Pow) else each.right
        elif isinstance(each, ast.Call) and each.args:
            yield each.args[0]


def _function(code: CodeTree, where: ast.Call) -> str:
    written = code.written(where.func)
    return written if written.endswith("where") else "jnp.where"


def _where_around(code: CodeTree, inner: ast.AST) -> tuple[ast.Call, bool] | None:
    """Return the nearest where around `inner`, and whether it selects `inner` if its condition is true."""
    for outer in code.around(inner):
        if isinstance(outer, ast.Call) and last_name(outer.func) in ("where", "select") and inner in outer.args[1:]:
            return outer, inner is outer.args[1]
        inner = outer
    return None


def _uses(code: CodeTree, operation: ast.expr) -> Iterator[ast.Name]:
    """Yield the reads of the name that the statement of `operation` assigns."""
    statement, function = code.statement_around(operation), code.function_around(operation)
    if not isinstance(statement, ast.Assign) or function is None:
        return
    names = {each.id for each in statement.targets if isinstance(each, ast.Name)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            yield node
