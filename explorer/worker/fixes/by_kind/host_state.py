"""Fix for Flax NNX models whose changes under jax.jit are lost: nnx.jit brings them back.

See https://flax.readthedocs.io/en/latest/guides/transforms.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that jits the function around the first of `spans` with nnx.jit, where the program imports nnx."""
    around = [each for each in code.covering(finding.spans[0]) if isinstance(each, ast.FunctionDef)]
    used = [each for function in around for outer in function.decorator_list for each in ast.walk(outer)]
    calls = [each for each in ast.walk(code.tree) if isinstance(each, ast.Call) and each.args]
    used += [each.func for each in calls if getattr(each.args[0], "id", "") in [function.name for function in around]]
    jits = [each for each in used if isinstance(each, ast.expr) and ast.unparse(each) in ("jax.jit", "jit")]
    if jits and any(isinstance(each, ast.alias) and "nnx" in (each.name, each.asname) for each in code.parents):
        label = say("Use {new} instead of {old}", new="nnx.jit", old="jax.jit")
        yield fix(code, label, *[code.replace(each, "nnx.jit") for each in jits])
