"""Fixes for states that a loop does not carry: what the call returns for one is given to its name.

See https://docs.jax.dev/en/latest/stateful-computations.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.errors.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that assigns the state in the statement of the call at the first of `spans`, or after it."""
    statement = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Assign))
    targets, value, added = map(finding.message.param, ("targets", "value", "added"))
    if isinstance(targets, str) and isinstance(value, str):
        edits = [code.replace(statement.targets[0], targets)]
        if value != code.written(statement.value):
            edits.append(code.replace(statement.value, value))
        yield fix(code, say("Carry the state: {targets} = ...", targets=targets), *edits)
    elif isinstance(added, str) and added:
        indent = " " * code.span(statement).column
        label = say("Carry the state: {added}", added=added)
        yield fix(code, label, code.insert_after(statement, f"\n{indent}{added}"))
