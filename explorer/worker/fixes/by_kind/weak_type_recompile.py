"""Fixes for functions that a weak type compiles again: the number is converted at the call, or in its dictionary.

Weak types: https://docs.jax.dev/en/latest/type_promotion.html#weak-types.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from explorer.messages import Finding, Fix, Span
from explorer.text.text import say
from explorer.worker.fixes.functions import entries
from explorer.worker.syntax.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that converts the argument at the second of `spans`, or the one number of its name in a dict."""
    number = _in_a_dict(code, str(finding.message.param("name")))
    if number is None:
        place = finding.spans[1]
        number = next(each for each in code.covering(place) if isinstance(each, ast.expr))
        if code.span(number) != Span(place.line, place.column, place.end_line, place.end_column):
            return
    dtype, text = finding.message.param("dtype"), code.written(number)
    label = say("Convert {number} to {dtype}", number=text, dtype=dtype)
    yield fix(code, label, code.replace(number, f"jnp.{dtype}({text})"))


def _in_a_dict(code: CodeTree, name: str) -> ast.expr | None:
    """Return the only number that a dict gives the key of ``theta['mean']``; None where that is not clear."""
    key = re.search(r"\['(\w+)'\]`$", name)
    given = (entries(each).get(key[1]) for each in ast.walk(code.tree)) if key else ()
    numbers = [each for each in given if isinstance(each, ast.Constant)]
    return numbers[0] if len(numbers) == 1 else None
