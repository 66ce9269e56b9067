"""Fixes for functions that a weak type compiles again: the number is converted at the call.

Weak types: https://docs.jax.dev/en/latest/type_promotion.html#weak-types.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix, Span
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that converts the argument at the second of `spans`."""
    argument = next(each for each in code.covering(finding.spans[1]) if isinstance(each, ast.expr))
    place = finding.spans[1]
    if code.span(argument) == Span(place.line, place.column, place.end_line, place.end_column):
        text = code.written(argument)
        label = say("Convert {argument} at the call", argument=text)
        yield fix(code, label, code.replace(argument, f"jnp.{finding.message.param('dtype')}({text})"))
