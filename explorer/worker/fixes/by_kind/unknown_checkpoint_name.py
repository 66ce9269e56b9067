"""Names of a policy that nothing has: the name that is meant takes their place."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.errors.code_tree import CodeTree, fix
from explorer.worker.fixes.silent.rewriting import last_name


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that write a name of ``checkpoint_name`` at the first of `spans`, the most alike first."""
    wrong = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Constant))
    calls = [each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) == "checkpoint_name"]
    values = [part for call in calls for part in [*call.args[1:], *(each.value for each in call.keywords)]]
    names = [each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    others = [each for each in dict.fromkeys(names) if not code.text.count(f'"{each}"') > names.count(each)]
    likely = difflib.get_close_matches(str(wrong.value), others, 1) or (others if len(others) == 1 else [])
    for each in likely:
        yield fix(code, say("Name {name}", name=f'"{each}"'), code.replace(wrong, f'"{each}"'))
