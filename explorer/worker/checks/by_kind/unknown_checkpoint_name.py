"""Policies of checkpoints with a name that nothing in the function has: nothing is saved."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import FrameType

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import Text, joined, say, sentences
from explorer.worker.errors.code_flow import Code, called, code_of
from explorer.worker.internals import checkpoints
from explorer.worker.internals.checkpoints import Checkpointed
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import Files

KIND = "unknown-checkpoint-name"
MOST_NAMES = 4
"""Maximum number of listed names."""
_NAMES = re.compile(r"\bsave_\w*names\w*")


def may_find(source: str) -> bool:
    """Return whether `source` makes a policy of names."""
    return _NAMES.search(source) is not None


@dataclass
class _Policy:
    """All uses of policies with the same names."""

    asked: frozenset[str]
    excluded: frozenset[str]
    given: set[str] = field(default_factory=set)
    is_all: bool = True
    files: dict[str, None] = field(default_factory=dict)
    """The user's files that lead to it, the nearest first."""


class Watch:
    """Watches one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._policies: dict[tuple[frozenset[str], frozenset[str]], _Policy] = {}
        self._named: set[str] = set()
        """The names that anything was given."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Record the policies used in the block, and the names in it."""
        return checkpoints.watching(self._look, self._named.add)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each name that is unknown."""
        return [each for policy in self._policies.values() for each in self._found(policy)]

    def _look(self, frame: FrameType, use: Checkpointed) -> None:
        key = use.asked, use.excluded
        policy = self._policies.setdefault(key, _Policy(*key))
        policy.given |= use.given
        policy.is_all &= use.is_all
        each: FrameType | None = frame
        while each is not None:
            if self._is_user_code(each.f_code.co_filename):
                policy.files.setdefault(each.f_code.co_filename)
            each = each.f_back

    def _found(self, policy: _Policy) -> Iterator[Finding]:
        given = policy.given if policy.is_all else policy.given | self._named
        names = policy.asked | policy.excluded
        # Policies for models of several sorts list more names than each has: one that is there, or none to take for it.
        none_is_there = policy.is_all and policy.asked.isdisjoint(given)
        for name in sorted(names - given):
            likely = difflib.get_close_matches(name, given - names, 1)
            span = self._written(policy, name)
            if span is not None and (likely or (none_is_there and name in policy.asked)):
                yield _finding(span, name, likely, given, is_excluded=name in policy.excluded)

    def _written(self, policy: _Policy, name: str) -> Span | None:
        """Return where the user's code has `name` for a policy: in the call that makes one, or else somewhere."""
        for filename in policy.files:
            code = code_of(filename)
            if code is not None:
                found = [each for each in code.tree.parents if isinstance(each, ast.Constant) and each.value == name]
                calls = {each: list(_calls(code, each)) for each in found}
                found = [each for each in found if "checkpoint_name" not in calls[each][:1]]
                found.sort(key=lambda each: not any(map(_NAMES.fullmatch, calls[each])))
                if found:
                    span = code.tree.span(found[0])
                    has_files = isinstance(self._is_user_code, Files)
                    return msgspec.structs.replace(span, file=filename) if has_files else span
        return None


def _calls(code: Code, node: ast.AST) -> Iterator[str]:
    return (called(each) for each in code.tree.around(node) if isinstance(each, ast.Call))


def _finding(span: Span, name: str, likely: list[str], given: set[str], *, is_excluded: bool) -> Finding:
    parts: dict[str, object] = {"name": f'`"{name}"`', "line": span.line}
    if is_excluded:
        first = say(
            "The policy on line {line} excludes {name}, and no checkpoint_name in the function has that name: it "
            "excludes nothing.",
            **parts,
        )
    else:
        first = say(
            "The policy on line {line} saves {name}, and no checkpoint_name in the function has that name: it is "
            "computed again in the backward pass.",
            **parts,
        )
    return Finding(KIND, "bug", sentences(first, _advice(likely, given)), (span,), lesson=lesson_of(KIND))


def _advice(likely: list[str], given: set[str]) -> Text:
    if likely:
        return say("Did you mean {name}?", name=f'`"{likely[0]}"`')
    if not given:
        return say('Give the array a name: jax.ad_checkpoint.checkpoint_name(x, "name").')
    listed = joined(", ", [f'`"{each}"`' for each in sorted(given)[:MOST_NAMES]])
    return say("The names in the function: {names}.", names=listed)
