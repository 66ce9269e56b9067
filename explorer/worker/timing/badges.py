"""Whether a time can be believed: eight conditions, each computed from what was seen while it was taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.messages import Badge, Transform, WrongWay
from explorer.worker.spoken.say import say
from explorer.worker.timing import constant_folding
from explorer.worker.timing.sampling import LEAST_ROUNDS, Track, is_precise, spread


@dataclass(frozen=True)
class CurveRecord:
    """What was seen of one curve at one point."""

    track: Track
    transform: Transform
    wrong_way: WrongWay
    ready_at_return: bool
    """Whether the outputs of most calls were there when the call returned."""
    wanted: str
    """The device that was asked for."""
    ran_on: tuple[str, ...]
    numpy_arguments: tuple[str, ...]
    """Arguments that hold NumPy arrays, which are copied to the device in every call."""
    hlo: str
    """Text of the compiled program; empty where there is none."""
    compared: tuple[bool | None, str]
    others: int
    """How many other curves were sampled at this point."""
    flags_on: tuple[str, ...]
    """Checks and logs of JAX that were on although they had been turned off: the program did that."""


def badges(seen: CurveRecord) -> tuple[Badge, ...]:
    """Return all eight, in a fixed order."""
    return (
        Badge("blocked", *_blocked(seen)),
        Badge("warmed", *_warmed(seen)),
        Badge("on device", *_on_device(seen)),
        Badge("not constant-folded", *_not_folded(seen)),
        Badge("equal outputs", *seen.compared),
        Badge("interleaved", *_interleaved(seen)),
        Badge("checker off", *_checker_off(seen)),
        Badge("stable", *stable(seen.track.samples)),
    )


def _blocked(seen: CurveRecord) -> tuple[bool, str]:
    if seen.track.waits:
        if seen.ready_at_return:
            return True, say("The clock stops when all outputs are there.")
        return True, say("The clock stops when all outputs are there. The call itself returns before they are there.")
    if seen.ready_at_return:
        words = say("The clock stops when the call returns. For this call the outputs are there by then; often not.")
        return False, words
    return (
        False,
        say("The clock stops when the call returns, while the device still works: this is not the time of the work."),
    )


def _warmed(seen: CurveRecord) -> tuple[bool | None, str]:
    if seen.wrong_way == "with-compile":
        words = say("Of the {count} calls in each sample the first one traces and compiles.", count=seen.track.calls)
        return False, words
    if seen.wrong_way == "fresh-lambda":
        return False, say("Each call makes a new function, which is traced and compiled anew.")
    if seen.track.compiles_always:
        return None, say("The program itself compiles in every call, so that its time holds that too.")
    words = say("It was called with these very arguments before the clock started, and nothing compiled since.")
    return True, words


def _on_device(seen: CurveRecord) -> tuple[bool | None, str]:
    if seen.numpy_arguments:
        names = ", ".join(seen.numpy_arguments)
        return False, say("NumPy arrays are copied to the device in every call: {names}.", names=names)
    if not seen.ran_on:
        return None, say("No JAX array came back, so the device that it ran on is not known.")
    if seen.wanted not in seen.ran_on:
        where = ", ".join(seen.ran_on)
        return False, say("It ran on {where} though {wanted} was asked for.", where=where, wanted=seen.wanted)
    return True, say("Arguments and outputs are on {where}.", where=", ".join(seen.ran_on))


def _not_folded(seen: CurveRecord) -> tuple[bool | None, str]:
    if not seen.transform.startswith("jit"):
        return True, say("It is not compiled as one program, so that no work can be folded into a constant.")
    found = constant_folding.reaches(seen.hlo)
    if found is None:
        return None, say("The compiled program cannot be read on this device.")
    depends, computes = found
    if depends:
        return True, say("The compiled program depends on its arguments.")
    if computes:
        return None, say("The compiled program does its work in every call, but no argument reaches its result.")
    words = say("The compiler has put a constant in place of the work: this is the time to hand out a known result.")
    return False, words


def _interleaved(seen: CurveRecord) -> tuple[bool | None, str]:
    if not seen.others:
        return None, say("It was alone at this point, so that there is nothing to compare it with.")
    if seen.others == 1:
        return True, say("Its blocks took turns with those of 1 other curve, in random order.")
    return True, say("Its blocks took turns with those of {count} other curves, in random order.", count=seen.others)


def _checker_off(seen: CurveRecord) -> tuple[bool, str]:
    if seen.flags_on:
        return False, say("The program turned on what slows JAX down: {flags}.", flags=", ".join(seen.flags_on))
    return True, say("The key checker, NaN checks, logging of compiles and the cache on disk were off.")


def stable(samples: Sequence[float]) -> tuple[bool, str]:
    """Return whether the median of `samples` is known well enough, and how well it is known in words."""
    if not samples:
        return False, say("There is no sample.")
    precision = f"{100 * spread(samples).precision:.2g}"
    count = say("1 sample") if len(samples) == 1 else say("{count} samples", count=len(samples))
    if is_precise(samples):
        return True, say("The median is known to {precision} %, from {samples}.", precision=precision, samples=count)
    if len(samples) < LEAST_ROUNDS:
        return False, say("There was time for {samples} only.", samples=count)
    return False, say("After {samples} the median is known to {precision} % only.", samples=count, precision=precision)
