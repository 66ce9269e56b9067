"""Functions that nothing calls: a failure that names the missing arguments; its fix is an ``inputs`` or a mark."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from explorer.messages import Edit, Failure, Fix, Span
from explorer.text.text import say
from explorer.worker.code.user_code import NOT_A_VARIANT, required_in_code, words
from explorer.worker.fixes.fix_labels import label
from explorer.worker.syntax.code_tree import CodeTree, fix, readable

_KEY = re.compile(r"(?:.*_)?(?:key|rng|prng)")
_KEYS = re.compile(r"(?:.*_)?(?:keys|rngs)")
_VALUES = ("jnp.ones((batch, 4))", "jnp.ones(4)", "1.0", "4")
"""Candidates for every other argument; the first with which a function runs is proposed."""


def failure(text: str, given: Collection[str] | None) -> Failure | None:
    """Return the arguments that the first public function of the code `text` lacks, as a failure; else None.

    `given` are the names that its ``inputs`` returns, or None if it has no ``inputs``.
    """
    code = CodeTree.of(text)
    lacking = (
        (each, [name for name in required_in_code(each) if name not in (given or ())]) for each in _functions(code)
    )
    first, missing = next(((each, names) for each, names in lacking if names), (None, []))
    if first is None:
        return None
    start = code.span(first)
    head = Span(start.line, start.column, start.line, len(code.lines[start.line - 1].rstrip()))
    names = words(missing)
    if given is not None:
        message = say("{variant} needs {names}, which inputs does not return.", variant=first.name, names=names)
        return Failure("NothingToRun", message, head)
    message = say(
        "{variant} needs {names}, and there is no function inputs that returns them.", variant=first.name, names=names
    )
    explanation = say(
        "inputs returns a dict of named arguments, for example dict(x=x, key=key), and every function that takes those "
        "names is run with them."
    )
    return Failure("NothingToRun", message, head, explanation)


def proposed_inputs(text: str) -> list[Fix]:
    """Return the untested fixes that add an ``inputs`` for all functions of the code `text`."""
    code = CodeTree.of(text)
    functions = list(_functions(code))
    if not functions:
        return []
    names = dict.fromkeys(name for each in functions for name in required_in_code(each))
    decorators = [each.lineno for each in functions[0].decorator_list]
    line = min([functions[0].lineno, *decorators])
    added = [_inputs({name: _value(name, value) for name in names}) for value in _VALUES]
    return [fix(code, label("inputs"), Edit(Span(line, 0, line, 0), "", each)) for each in added]


def _functions(code: CodeTree) -> Iterator[ast.FunctionDef]:
    for node in code.tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and required_in_code(node):
            yield node


def _value(name: str, usual: str) -> str:
    if _KEY.fullmatch(name):
        return "jax.random.key(seed)"
    return "jax.random.split(jax.random.key(seed), batch)" if _KEYS.fullmatch(name) else usual


def _inputs(values: dict[str, str]) -> str:
    used = " ".join(values.values())
    parameters = ", ".join(each for each in ("batch=8", "seed=0") if each.partition("=")[0] in used)
    entries = ", ".join(f'"{name}": {value}' for name, value in values.items())
    return f"def inputs({parameters}):\n    return {{{entries}}}\n\n\n"


def called_anyway(variant: str, text: str) -> tuple[Fix, ...]:
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
