"""Fixes for types that do not hold their values: request the type that JAX gives, or turn on 64 bits.

See https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#double-64bit-precision.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.syntax.code_tree import CodeTree, fix

_GIVEN = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64", "double": "float32"}


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that request the type given by JAX at the first of `spans`, and that turn on 64 bits."""
    call = next((each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Call)), None)
    asked = [each for each in ast.walk(call) if _type_of(each)] if call is not None else []
    if len(asked) == 1:
        node = asked[0]
        given = _GIVEN[_type_of(node)]
        assert isinstance(node, ast.Attribute | ast.Constant)
        new = f"{code.written(node.value)}.{given}" if isinstance(node, ast.Attribute) else f'"{given}"'
        yield fix(code, label("ask_for", new=given), code.replace(node, new))
    if "jax_enable_x64" not in code.text:
        after = next((each for each in code.tree.body if _binds_jax(each)), None)
        if after is not None:
            line = (after.end_lineno or after.lineno) + 1
            place = Span(line, 0, line, 0)
            yield fix(code, label("x64"), Edit(place, "", 'jax.config.update("jax_enable_x64", True)\n'))


def _type_of(node: ast.AST) -> str:
    """Return the 64-bit type that `node` names, or an empty text."""
    name = node.attr if isinstance(node, ast.Attribute) else node.value if isinstance(node, ast.Constant) else ""
    return name if isinstance(name, str) and name in _GIVEN else ""


def _binds_jax(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Import):
        return False
    return any(each.name.partition(".")[0] == "jax" and (each.asname or "jax") == "jax" for each in statement.names)
