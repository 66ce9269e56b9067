"""Fixes for narrow floats that a NumPy operand widens: a Python number, or the dtype of the other operand.

Type promotion: https://docs.jax.dev/en/latest/type_promotion.html.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name

_FLOAT = re.compile(r"float\d+$")


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that make a Python number of the operand at the second of `spans`, or convert the array there."""
    place = finding.spans[1]
    operand = next(
        each
        for each in code.covering(place)
        if isinstance(each, ast.expr) and code.span(each).end_column == place.end_column
    )
    text = code.written(operand)
    match operand:
        case ast.Call(func=function, args=[ast.Constant() as number], keywords=[]) if _FLOAT.match(last_name(function)):
            new = code.written(number)
            yield fix(code, say("Write the Python number {number}", number=new), code.replace(operand, new))
        case _:
            label = say("Make a Python number of {operand}", operand=text)
            yield fix(code, label, code.replace(operand, f"float({text})"))
            narrow = f"jnp.{finding.message.param('narrow')}"
            label = say("Convert {operand} to {dtype}", operand=text, dtype=narrow)
            yield fix(code, label, code.replace(operand, f"jnp.asarray({text}, {narrow})"))
