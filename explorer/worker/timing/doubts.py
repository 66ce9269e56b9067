"""Reasons not to rely on a time, each computed from observations during the measurement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from explorer.messages import Note
from explorer.text.text import Text, say
from explorer.worker.internals.compiled import compiled_text
from explorer.worker.timing import compared_outputs, undisturbed
from explorer.worker.timing.point import Point, Subject


def doubts(point: Point, points: Sequence[Point]) -> Iterator[Note]:
    """Yield the reasons not to rely on `point`, sampled together with `points`."""
    if not point.track.samples:
        return
    if words := _difference(point, points):
        yield Note("outputs differ", words)
    compiled = point.first.compiled if point.subject.transform.startswith("jit") else None
    if compiled is not None and is_folded(compiled_text(compiled)):
        words = say("the compiler replaced the work by a constant: this is the time to return a known result")
        yield Note("constant-folded", words)
    if point.numpy_arguments and point.first.ran_on:
        names = ", ".join(point.numpy_arguments)
        words = say("NumPy arrays are copied to the device in every call: {names}", names=names)
        yield Note("numpy inputs", words)
    if flags := undisturbed.flags_on():
        words = say("the program turned on settings that slow JAX down: {flags}", flags=", ".join(flags))
        yield Note("settings on", words)


def _difference(point: Point, points: Sequence[Point]) -> Text | None:
    """Return how the outputs of `point` differ from others of the same function; None if they agree up to rounding.

    Another variant may differ on purpose.
    """
    for each in points:
        if each is not point and _must_agree(point.subject, each.subject):
            words = compared_outputs.difference(point.outputs, each.outputs)
            if words is not None:
                return say("the outputs differ from those of {label}: {words}", label=each.subject.label, words=words)
    return None


def _must_agree(one: Subject, two: Subject) -> bool:
    return one.variant == two.variant and ("vmap" in one.transform) == ("vmap" in two.transform)


COPIES = frozenset({"constant", "copy", "bitcast", "tuple", "get-tuple-element", "broadcast", "reshape", "transpose"})
"""Operations that only move or repeat data; a program of these alone computes nothing."""
CALLS = frozenset({"fusion", "call", "parallel"})
"""Operations that run the computation that they name."""

_COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.\-]+) \(.*\{\s*$")
_OPERATION = re.compile(r"^\s*(ROOT )?%?([\w.\-]+) = .*?\s([a-z][\w\-]*)\((.*)$")
_NAME = re.compile(r"%([\w.\-]+)")


def is_folded(hlo: str) -> bool:
    """Return whether the result of optimised HLO text neither depends on an argument nor needs computation.

    False for unreadable text: the format is not documented.
    """
    computations, entry = _parsed(hlo)
    if entry not in computations:
        return False
    operations, root = computations[entry]
    found = _reachable(operations, root)
    kinds = {operations[name][0] for name in found}
    return "parameter" not in kinds and not any(_computes(computations, operations[name]) for name in found)


Operation = tuple[str, tuple[str, ...]]
"""(opcode, all names in its line)"""
Computation = tuple[dict[str, Operation], str]
"""(operations by name, name of the result)"""


def _parsed(hlo: str) -> tuple[dict[str, Computation], str]:
    computations: dict[str, Computation] = {}
    entry, name, root = "", "", ""
    operations: dict[str, Operation] = {}
    for line in hlo.splitlines():
        if head := _COMPUTATION.match(line):
            name, root, operations = head[2], "", {}
            entry = name if head[1] else entry
        elif line.startswith("}") and name:
            computations[name], name = (operations, root), ""
        elif name and (found := _OPERATION.match(line)):
            operations[found[2]] = (found[3], tuple(_NAME.findall(found[4])))
            root = found[2] if found[1] else root
    return computations, entry


def _reachable(operations: dict[str, Operation], root: str) -> set[str]:
    found: set[str] = set()
    waiting = [root] if root in operations else []
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [each for each in operations[name][1] if each in operations]
    return found


def _computes(computations: dict[str, Computation], operation: Operation) -> bool:
    kind, names = operation
    if kind in CALLS:
        inner = [computations[name][0] for name in names if name in computations]
        return not inner or any(_computes(computations, each) for body in inner for each in body.values())
    return kind not in COPIES and kind != "parameter"
