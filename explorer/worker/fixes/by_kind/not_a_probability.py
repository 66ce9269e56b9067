"""Fixes for numbers that are no probabilities: a percentage becomes a share, softplus a sigmoid."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_flow import FollowedFile
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name

MOST_PERCENT = 100


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes for the call at the first of `spans`: a percentage becomes a share, softplus a sigmoid."""
    call = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Call))
    for node in FollowedFile(code).behind(call):
        match node:
            case ast.Constant(value=int() | float() as value) if 1 < value <= MOST_PERCENT:
                if any(isinstance(each, ast.keyword) for each in code.around(node)) or node in call.args[1:2]:
                    share = f"{value / MOST_PERCENT:g}"
                    label = say("Write {percentage} as {share}", percentage=code.written(node), share=share)
                    yield fix(code, label, code.replace(node, share))
            case ast.Call(func=ast.Attribute(value=module) as function) if last_name(node.func) == "softplus":
                new = f"{code.written(module)}.sigmoid"
                label = say("Use {new} instead of {old}", new=new, old=code.written(function))
                yield fix(code, label, code.replace(function, new))
            case ast.Call(args=[ast.Constant(value=0 | 0.0), logits]) if last_name(node.func) == "logaddexp":
                new = f"jax.nn.sigmoid({code.written(logits)})"
                label = say("Use {new} instead of {old}", new=new, old=code.written(node))
                yield fix(code, label, code.replace(node, new))
