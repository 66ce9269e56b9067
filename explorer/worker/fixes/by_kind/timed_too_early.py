"""Fixes for clocks that are read while JAX still computes: wait for the result first.

Asynchronous dispatch: https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that waits before the statement at the first of `spans`."""
    reading = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Call))
    statement, timed = code.statement_around(reading), finding.message.param("timed")
    if statement is not None and timed != "result":
        new = f"jax.block_until_ready({timed})"
        yield fix(code, say("Wait for {result} first", result=str(timed)), code.insert_before(statement, new))
