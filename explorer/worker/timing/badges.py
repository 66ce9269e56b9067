"""Reliability of a time: eight conditions, each computed from observations during the measurement."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.messages import Badge
from explorer.text.text import Text, say
from explorer.worker.internals.compiled import compiled_text
from explorer.worker.timing import compared_outputs, constant_folding, undisturbed
from explorer.worker.timing.point import Point, Subject, stable


def badges(point: Point, points: Sequence[Point], wanted: str) -> tuple[Badge, ...]:
    """Return the eight badges of `point`, sampled together with `points`, in a fixed order; none without a sample."""
    if not point.track.samples:
        return ()
    return (
        Badge("blocked", *_blocked(point)),
        Badge("warmed", *_warmed(point)),
        Badge("on device", *_on_device(point, wanted)),
        Badge("not constant-folded", *_not_folded(point)),
        Badge("equal outputs", *_equal(point, points)),
        Badge("interleaved", *_interleaved(len(points) - 1)),
        Badge("checker off", *_checker_off()),
        Badge("stable", *stable(point.track.samples)),
    )


def _blocked(point: Point) -> tuple[bool, Text]:
    if point.track.waits:
        if point.ready_at_return:
            return True, say("The clock stops when all outputs are ready.")
        return True, say("The clock stops when all outputs are ready. The call itself returns before that.")
    if point.ready_at_return:
        words = say(
            "The clock stops when the call returns. For this call the outputs are ready by then; often they are not."
        )
        return False, words
    return (
        False,
        say(
            "The clock stops when the call returns, while the device is still working: this is not the time of the "
            "work."
        ),
    )


def _warmed(point: Point) -> tuple[bool | None, Text]:
    if point.subject.wrong_way == "with-compile":
        words = say("The first of the {count} calls in each sample traces and compiles.", count=point.track.calls)
        return False, words
    if point.subject.wrong_way == "fresh-lambda":
        return False, say("Each call makes a new function, which is traced and compiled anew.")
    if point.track.compiles_always:
        return None, say("The program itself compiles in every call, so its time includes that.")
    words = say("It was called with these very arguments before the clock started, and nothing compiled since.")
    return True, words


def _on_device(point: Point, wanted: str) -> tuple[bool | None, Text]:
    if not point.first.ran_on:
        return None, say("The call returned no JAX array, so its device is not known.")
    if point.numpy_arguments:
        names = ", ".join(point.numpy_arguments)
        return False, say("NumPy arrays are copied to the device in every call: {names}.", names=names)
    if wanted not in point.first.ran_on:
        where = ", ".join(point.first.ran_on)
        return False, say("It ran on {where} instead of {wanted}.", where=where, wanted=wanted)
    return True, say("Arguments and outputs are on {where}.", where=", ".join(point.first.ran_on))


def _not_folded(point: Point) -> tuple[bool | None, Text]:
    if not point.subject.transform.startswith("jit"):
        return True, say("It is not compiled as one program, so no work can be folded into a constant.")
    compiled = point.first.compiled
    found = constant_folding.reaches(compiled_text(compiled) if compiled is not None else "")
    if found is None:
        return None, say("The compiled program cannot be read on this device.")
    depends, computes = found
    if depends:
        return True, say("The compiled program depends on its arguments.")
    if computes:
        return None, say("The compiled program does its work in every call, but no argument reaches its result.")
    words = say("The compiler replaced the work by a constant: this is the time to return a known result.")
    return False, words


def _interleaved(others: int) -> tuple[bool | None, Text]:
    if not others:
        return None, say("It was alone at this point, so there is nothing to compare it with.")
    if others == 1:
        return True, say("Its blocks took turns with those of 1 other curve, in random order.")
    return True, say("Its blocks took turns with those of {count} other curves, in random order.", count=others)


def _checker_off() -> tuple[bool, Text]:
    if flags := undisturbed.flags_on():
        return False, say("The program turned on settings that slow JAX down: {flags}.", flags=", ".join(flags))
    return True, say("The key checker, NaN checks, logging of compiles and the cache on disk were off.")


def _equal(point: Point, points: Sequence[Point]) -> tuple[bool | None, Text]:
    """Return whether the outputs of `point` agree with the others, and a sentence on the comparison.

    The same function under another transform must agree up to rounding, except that ``vmap`` splits its arguments;
    another variant may differ on purpose.
    """
    mine = point.outputs
    if mine is None:
        return None, say("The outputs are too large to be compared.")
    others = [each for each in points if each is not point and each.outputs is not None]
    if not others:
        return None, say("There are no other outputs to compare with.")
    found = [(each, *compared_outputs.difference(mine, each.outputs or [])) for each in others]
    for each, same, words in found:
        if not same and _must_agree(point.subject, each.subject):
            return False, say(
                "The outputs differ from those of {label}: {words}.", label=each.subject.label, words=words
            )
    for each, same, words in found:
        if not same:
            difference = say(
                "The outputs differ from those of {label}, which may be intended: {words}.",
                label=each.subject.label,
                words=words,
            )
            return None, difference
    worst = max((words for _, _, words in found), key=lambda words: len(str(words)))
    if len(found) == 1:
        return True, say("Compared with 1 other curve the outputs are {worst}.", worst=worst)
    return True, say("Compared with {count} other curves the outputs are {worst}.", count=len(found), worst=worst)


def _must_agree(one: Subject, two: Subject) -> bool:
    return one.variant == two.variant and ("vmap" in one.transform) == ("vmap" in two.transform)
