"""Reasons not to rely on a time, each computed from observations while measuring; whether a program is folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.messages import Note
from explorer.text.text import Text, say
from explorer.worker.internals.compiled import Computation, HloOperation, compiled_text, parsed
from explorer.worker.timing import compared_outputs
from explorer.worker.timing.point import Point, TimedCurve


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


def _difference(point: Point, points: Sequence[Point]) -> Text | None:
    """Return how outputs of `point` differ from others of the same function, beyond rounding; None if they do not."""
    for each in points:
        if each is not point and _must_agree(point.subject, each.subject):
            words = compared_outputs.difference(point.outputs, each.outputs)
            if words is not None:
                return say("the outputs differ from those of {label}: {words}", label=each.subject.label, words=words)
    return None


def _must_agree(one: TimedCurve, two: TimedCurve) -> bool:
    return one.variant == two.variant and (one.transform in BATCHED) == (two.transform in BATCHED)


BATCHED = ("vmap", "jit(vmap)", "loop")
"""The transforms that return a row for each example."""
COPIES = frozenset({"constant", "copy", "bitcast", "tuple", "get-tuple-element", "broadcast", "reshape", "transpose"})
"""Operations that only move or repeat data; a program of these alone computes nothing."""
CALLS = frozenset({"fusion", "call", "parallel"})
"""Operations that run the computation that they name."""


def is_folded(hlo: str) -> bool:
    """Return whether optimised HLO text needs neither an argument nor computation; False where it cannot be read."""
    computations, entry = parsed(hlo)
    operations = computations.get(entry, {})
    waiting = [name for name, each in operations.items() if each.is_root]
    found: dict[str, HloOperation] = {}
    while waiting:
        name = waiting.pop()
        if name in operations and name not in found:
            found[name] = operations[name]
            waiting += operations[name].operands
    kinds = {each.opcode for each in found.values()}
    return (
        bool(found) and "parameter" not in kinds and not any(_computes(computations, each) for each in found.values())
    )


def _computes(computations: dict[str, Computation], operation: HloOperation) -> bool:
    if operation.opcode in CALLS:
        inner = [computations[name] for name in operation.called.values() if name in computations]
        return not inner or any(_computes(computations, each) for body in inner for each in body.values())
    return operation.opcode not in COPIES and operation.opcode != "parameter"
