"""Reasons not to rely on a time, each computed from observations during the measurement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.messages import Note
from explorer.text.text import Text, say
from explorer.worker.internals.compiled import compiled_text
from explorer.worker.timing import compared_outputs, constant_folding, undisturbed
from explorer.worker.timing.point import Point, Subject


def doubts(point: Point, points: Sequence[Point]) -> Iterator[Note]:
    """Yield the reasons not to rely on `point`, sampled together with `points`."""
    if not point.track.samples:
        return
    if words := _difference(point, points):
        yield Note("outputs differ", words)
    compiled = point.first.compiled if point.subject.transform.startswith("jit") else None
    if compiled is not None and constant_folding.is_folded(compiled_text(compiled)):
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
