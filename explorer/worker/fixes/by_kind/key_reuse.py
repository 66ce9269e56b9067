"""Fixes for a reused key: one key for each call, for each iteration of a loop, or for each making.

Splitting keys: https://docs.jax.dev/en/latest/random-numbers.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode, tried
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import FunctionOrCode, bound_in
from explorer.worker.fixes.keys import closures, devices_and_trees, made_again, repeated
from explorer.worker.fixes.keys.loop_keys import LoopKeys, bodies, loop_keys_in
from explorer.worker.fixes.keys.uses import (
    KeyUse,
    comes_again,
    folded,
    in_a_loop,
    is_set_there,
    split_before,
    uses_at,
    uses_in,
)
from explorer.worker.fixes.spelling import names_of_keys

_LOOPS = 6
"""Largest number of loops to try, nearest first."""
_WAYS = 3
"""Number of ways to write the number of iterations."""


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that give each use of the keys in `finding` its own key."""
    places = {role: _spans(finding, role) for role in ("made", "passed", "spent")}
    spans = [*places["passed"], *places["spent"], *finding.spans]
    found = [uses_at(code, each) for each in (places["passed"], places["spent"] or finding.spans)]
    if len(places["made"]) > 1 or any(_is_made_again(code, span) for span in places["made"]):
        yield from made_again.other_keys(code, places["made"])
    yield from repeated.split_instead(code, spans)
    for uses in found:
        yield from _split(code, uses)
    yield from _for_iterations(code, spans)
    for uses in found:
        yield from _folded(code, uses)
    yield from devices_and_trees.of_states(code, spans)
    yield from devices_and_trees.of_leaves(code, spans)
    yield from devices_and_trees.of_calls(code, places["made"])
    yield from _by_text(code, spans)


def _spans(finding: Finding, role: str) -> list[Span]:
    return [place.span for place in finding.places if place.role == role]


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


# -- loops of JAX ------------------------------------------------------------------------------


def _for_iterations(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that give each iteration its own key, first for the loops at `spans`."""
    near = {each for span in spans for each in code.covering(span)}
    loops = sorted(loop_keys_in(code), key=lambda each: not near & {each.call, each.body})[:_LOOPS]
    for way in range(_WAYS):
        for each in loops:
            yield from _of_iterations(code, each, way)


def _of_iterations(code: CodeTree, iterations: LoopKeys, way: int) -> Iterator[Fix]:
    """Yield the fixes with one key per iteration, also combined with fixes for several uses per iteration."""
    words = "fold_rounds" if iterations.name == "fori_loop" else "split_rounds"
    for key in closures.closed_over(code, iterations.body):
        again = uses_in(iterations.body, [key]).get(key, [])
        within = [list(split_before(code, again, last=False))] if len(again) > 1 else []
        for others in ([], *within, _split_everywhere(code, iterations.body)):
            if others or way == 0 or not within:
                made = partial(_together, iterations, code, key, way, others)
                yield from tried(code, label(words, key=key), made)


def _together(iterations: LoopKeys, code: CodeTree, key: str, way: int, others: Sequence[Edit]) -> list[Edit]:
    return [*iterations.edits(code, key, way), *others]


# -- by the text alone -------------------------------------------------------------------------


def _by_text(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes for each key variable that its function uses more than once, or in a loop."""
    near = {each for span in spans for each in code.covering(span)}
    for uses in sorted(_used_again(code), key=lambda each: code.function_around(each[0].call) not in near):
        yield from _split(code, uses)
        yield from _folded(code, uses)
    yield from tried(code, label("split_first", key="key"), partial(_split_everywhere, code))


def _used_again(code: CodeTree, but: FunctionNode | None = None) -> list[list[KeyUse]]:
    """Return the uses of each key variable that is used repeatedly in its function, except in the function `but`."""
    scopes: list[FunctionOrCode] = [each for each in code.parents if isinstance(each, FunctionNode) and each is not but]
    carrying, keys = bodies(code), names_of_keys(code)
    found = []
    for scope in (*scopes, code.tree):
        for name, every in uses_in(scope, keys).items():
            uses = [each for each in every if not is_set_there(code, each)]
            carried = scope in carrying and name in bound_in(scope)
            if len(uses) > 1 or (uses and (carried or comes_again(code, uses[0]))):
                found.append(uses)
    return found


def _split_everywhere(code: CodeTree, but: FunctionNode | None = None) -> list[Edit]:
    """Return the edits that split all repeatedly used keys, as far as possible."""
    found: list[Edit] = []
    for uses in _used_again(code, but):
        with suppress(ValueError):
            found += split_before(code, uses, last=_comes_again(code, uses[0]))
    return found
