"""A key for each use, where one is used again: by two calls, by each round of a loop, or because it is made again."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode, tried
from explorer.worker.fixes.keys import closures, elsewhere, made_again, repeated
from explorer.worker.fixes.keys.functions import FunctionOrCode, bound_in
from explorer.worker.fixes.keys.rounds import Rounds, rounds_in
from explorer.worker.fixes.keys.uses import KeyUse, folded, in_a_loop, split_before, uses_at, uses_in
from explorer.worker.fixes.words import label

_WAYS = 3
"""To write how many rounds there are."""


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that give each use of the keys of `finding` another one."""
    places = {role: _spans(finding, role) for role in ("made", "passed", "spent")}
    spans = [*places["passed"], *places["spent"], *finding.spans]
    found = [uses_at(code, each) for each in (places["passed"], places["spent"] or finding.spans)]
    if len(places["made"]) > 1 or any(_is_made_again(code, span) for span in places["made"]):
        yield from made_again.other_keys(code, places["made"])
    yield from repeated.split_instead(code, spans)
    for uses in found:
        yield from _split(code, uses)
    yield from _for_rounds(code, spans)
    for uses in found:
        yield from _folded(code, uses)
    yield from elsewhere.of_states(code, spans)
    yield from elsewhere.of_leaves(code, spans)
    yield from elsewhere.of_calls(code, places["made"])
    yield from _by_text(code, spans)


def _spans(finding: Finding, role: str) -> list[Span]:
    return [place.span for place in finding.places if place.role == role]


def _is_made_again(code: CodeTree, span: Span) -> bool:
    return any(isinstance(each, ast.Call) and in_a_loop(code, each) for each in list(code.covering(span))[:1])


def _split(code: CodeTree, uses: Sequence[KeyUse]) -> Iterator[Fix]:
    if uses:
        words = label("split_first", key=code.written(uses[0].key))
        for last in (False, True) if len(uses) > 1 else (True,):
            yield from tried(code, words, partial(split_before, code, uses, last=last))


def _folded(code: CodeTree, uses: Sequence[KeyUse]) -> Iterator[Fix]:
    if uses:
        name = "fold_rounds" if len(uses) == 1 else "fold_uses"
        words = label(name, key=code.written(uses[0].key))
        yield from tried(code, words, partial(folded, code, [each.key for each in uses]))


# -- loops of JAX -----------------------------------------------------------------------------


def _for_rounds(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that hand each round a key, first those of the loops at `spans`."""
    near = {each for span in spans for each in code.covering(span)}
    loops = sorted(rounds_in(code), key=lambda each: not near & {each.call, each.body})
    for way in range(_WAYS):
        for each in loops:
            yield from _of_rounds(code, each, way)


def _of_rounds(code: CodeTree, rounds: Rounds, way: int) -> Iterator[Fix]:
    words = "fold_rounds" if rounds.name == "fori_loop" else "split_rounds"
    for key in closures.closed_over(code, rounds.body):
        yield from tried(code, label(words, key=key), partial(rounds.edits, code, key, way))
        again = uses_in(rounds.body).get(key, [])
        if len(again) > 1:
            # Each round has a key of its own, and uses it more than once.
            yield from tried(code, label(words, key=key), partial(_both, code, rounds, key, way, again))


def _both(code: CodeTree, rounds: Rounds, key: str, way: int, uses: Sequence[KeyUse]) -> list[Edit]:
    return [*rounds.edits(code, key, way), *split_before(code, uses, last=False)]


# -- by the text alone ------------------------------------------------------------------------


def _by_text(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes for each name of a key that its function hands on more than once, or in a loop."""
    near = {each for span in spans for each in code.covering(span)}
    scopes: list[FunctionOrCode] = [each for each in code.parents if isinstance(each, FunctionNode)]
    bodies = [each.body for each in rounds_in(code)]
    every: list[Edit] = []
    for scope in sorted([*scopes, code.tree], key=lambda each: each not in near):
        for name, uses in uses_in(scope).items():
            in_rounds = scope in bodies and name in bound_in(scope)
            if len(uses) > 1 or in_rounds or in_a_loop(code, uses[0].call):
                yield from _split(code, uses)
                yield from _folded(code, uses)
                try:
                    every += split_before(code, uses, last=in_rounds or in_a_loop(code, uses[0].call))
                except ValueError:
                    continue
    if every:
        yield from tried(code, label("split_first", key="key"), lambda: every)
    for rounds in rounds_in(code):
        for key in closures.closed_over(code, rounds.body):
            words = label("split_rounds", key=key)
            yield from tried(code, words, partial(_and_every, code, rounds, key, every))


def _and_every(code: CodeTree, rounds: Rounds, key: str, every: Sequence[Edit]) -> list[Edit]:
    return [*rounds.edits(code, key, 0), *every]
