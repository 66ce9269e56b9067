"""Fixes for NumPy arrays that share their memory with an array of JAX: a copy is put on the device.

See https://github.com/jax-ml/jax/issues/37830.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.errors.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that copy an argument of the call at the first of `spans`."""
    call = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Call))
    for each in call.args:
        if isinstance(each, ast.Name | ast.Attribute | ast.Subscript):
            label = say("Put a copy of {array} on the device", array=code.written(each))
            yield fix(code, label, code.insert_after(each, ".copy()"))
