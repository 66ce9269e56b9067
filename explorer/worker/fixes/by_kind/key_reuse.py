"""Fixes for a reused key: one key for each call, for each iteration of a loop, or for each making.

Splitting keys: https://docs.jax.dev/en/latest/random-numbers.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import parameters
from explorer.worker.fixes.keys.key_arrays import split_instead
from explorer.worker.fixes.keys.uses import (
    KeyUse,
    bodies,
    closed_over,
    comes_again,
    folded,
    in_a_loop,
    is_set_there,
    split_before,
    split_in_states,
    uses_at,
    uses_in,
)
from explorer.worker.fixes.spelling import fold_in, names_of_keys
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name, tried
from explorer.worker.syntax.scopes import FunctionNode


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that give each use of the keys in `finding` its own key."""
    places = {
        role: [place.span for place in finding.places if place.role == role] for role in ("made", "passed", "spent")
    }
    spans = [*places["passed"], *places["spent"], *finding.spans]
    found = [uses_at(code, each) for each in (places["passed"], places["spent"] or finding.spans)]
    if len(places["made"]) > 1 or any(_is_made_again(code, span) for span in places["made"]):
        yield from other_keys(code, places["made"])
    yield from split_instead(code, spans)
    for uses in found:
        yield from _split(code, uses)
    yield from _in_fori_loops(code, spans)
    for uses in found:
        yield from _folded(code, uses)
    yield from split_in_states(code, spans)
    yield from _by_text(code, spans)


def _is_made_again(code: CodeTree, span: Span) -> bool:
    return any(isinstance(each, ast.Call) and in_a_loop(code, each) for each in list(code.covering(span))[:1])


def _split(code: CodeTree, uses: Sequence[KeyUse]) -> Iterator[Fix]:
    if len(uses) > 1 or any(_comes_again(code, each) for each in uses):
        words = label("split_first", key=code.written(uses[0].key))
        for last in (False, True) if len(uses) > 1 else (True,):
            yield from tried(code, words, partial(split_before, code, uses, last=last))


def _comes_again(code: CodeTree, use: KeyUse) -> bool:
    """Return whether `use` may repeat, with everything derived from its key."""
    own = isinstance(use.key, ast.Attribute)
    return own or comes_again(code, use) or code.function_around(use.call) in bodies(code)


def _folded(code: CodeTree, uses: Sequence[KeyUse]) -> Iterator[Fix]:
    if uses:
        name = "fold_rounds" if len(uses) == 1 else "fold_uses"
        words = label(name, key=code.written(uses[0].key))
        yield from tried(code, words, partial(folded, code, [each.key for each in uses]))


def _in_fori_loops(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that fold the iteration number into a key that the body of a fori_loop reads from outside."""
    for body in dict.fromkeys(each for span in spans for each in code.covering(span) if isinstance(each, FunctionNode)):
        if body in bodies(code, ("fori_loop",)):
            for key in closed_over(code, body):
                yield from tried(code, label("fold_rounds", key=key), partial(_with_number, code, body, key))


def _with_number(code: CodeTree, body: FunctionNode, key: str) -> Iterator[Edit]:
    number = parameters(body)[0]
    name = "i" if number.arg == "_" else number.arg
    if name != number.arg:
        yield code.replace(number, name)
    for each in code.scopes[body].uses(key):
        yield code.replace(each, fold_in(code, key, name))


# -- by the text alone -------------------------------------------------------------------------


def _by_text(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes for each key variable that its function uses more than once, or in a loop."""
    near = {each for span in spans for each in code.covering(span)}
    for uses in sorted(_used_again(code), key=lambda each: code.function_around(each[0].call) not in near):
        yield from _split(code, uses)
        yield from _folded(code, uses)


def _used_again(code: CodeTree) -> list[list[KeyUse]]:
    """Return the uses of each key variable that is used repeatedly in its function."""
    carrying, keys = bodies(code), names_of_keys(code)
    found = []
    for node in (*(each for each in code.parents if isinstance(each, FunctionNode)), code.tree):
        for name, every in uses_in(node, keys).items():
            uses = [each for each in every if not is_set_there(code, each)]
            carried = node in carrying and name in code.scopes[node].own
            if len(uses) > 1 or (uses and (carried or comes_again(code, uses[0]))):
                found.append(uses)
    return found


# -- keys made again -------------------------------------------------------------------------------------------------


_SEEDED = ("key", "PRNGKey")


def other_keys(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that make other keys at some of the places in `spans`."""
    made = [call for span in spans for call in _makers(code, span)]
    for each in made:
        if in_a_loop(code, each) and last_name(each.func) in _SEEDED:
            yield from _counted(code, each)
    for each in reversed(made) if len(made) > 1 else ():
        data = each.args[-1]
        new = _unused(code, last_name(each.func)) if isinstance(data, ast.Constant) else f"{code.written(data)} + 1"
        called = code.written(each.func)
        rest = [code.written(other) for other in each.args[:-1]]
        yield fix(code, label("other_seed", new=f"{called}({', '.join([*rest, new])})"), code.replace(data, new))


def _counted(code: CodeTree, made: ast.Call) -> Iterator[Fix]:
    """Yield the fixes for a key made in each iteration, from a changing or from a constant seed."""
    data = made.args[0]
    if not isinstance(data, ast.Constant):
        base = f"{code.written(made.func)}({_unused(code, last_name(made.func))})"
        new = fold_in(code, base, code.written(data))
        yield fix(code, label("other_seed", new=new), code.replace(made, new))
    yield fix(code, label("fold_rounds", key=code.written(made)), *folded(code, [made]))


def _makers(code: CodeTree, span: Span) -> list[ast.Call]:
    for node in code.covering(span):
        if isinstance(node, ast.Call) and last_name(node.func) in (*_SEEDED, "fold_in") and node.args:
            return [node]
    return []


def _unused(code: CodeTree, name: str) -> str:
    """Return the smallest number that no call of `name` in the code is passed."""
    calls = (each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) == name)
    given = {each.args[-1].value for each in calls if each.args and isinstance(each.args[-1], ast.Constant)}
    return str(next(number for number in range(len(given) + 1) if number not in given))
