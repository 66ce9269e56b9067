"""A helper taken for a variant because its arguments fit: the comment that excludes it."""

from __future__ import annotations

import ast

from explorer.messages import Edit, Fix, Span
from explorer.worker.code.user_code import NOT_A_VARIANT
from explorer.worker.errors.code_tree import readable
from explorer.worker.fixes.fix_labels import label


def offered(variant: str, text: str) -> tuple[Fix, ...]:
    """Return the fix that marks `variant` of the code `text` as no variant, if other functions read its name."""
    code = readable(text)
    if code is None:
        return ()
    functions = [node for node in code.tree.body if isinstance(node, ast.FunctionDef)]
    own = next((node for node in functions if node.name == variant), None)
    used = {each.id for node in functions if node is not own for each in ast.walk(node) if isinstance(each, ast.Name)}
    if own is None or variant not in used:
        return ()
    end = len(code.lines[own.lineno - 1].rstrip())
    edit = Edit(Span(own.lineno, end, own.lineno, end), "", f"  {NOT_A_VARIANT}")
    return (Fix(label("not_a_variant", variant=variant), (edit,)),)
