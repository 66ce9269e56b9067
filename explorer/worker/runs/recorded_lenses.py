"""The lenses of a recorded program, computed after it has ended: its largest jitted function is compiled, never run."""

from __future__ import annotations

from collections.abc import Callable

from explorer.messages import TOP_LEVEL, LensAnswer
from explorer.messages.lenses import LENSES
from explorer.text.text import Text, say, sentences
from explorer.worker.errors import failure as errors
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.recording.jitted_calls import JittedCall, JittedCalls
from explorer.worker.recording.recorder import Recording
from explorer.worker.runs.lens_registry import lenses
from explorer.worker.timing.undisturbed import undisturbed

LONGEST_S = 300.0
"""A function that took longer to compile in the run is not compiled again."""


def answers(recording: Recording, file: str) -> tuple[LensAnswer, ...]:
    """Return the lenses of the largest jitted function of the ended program `file`; lines of other files are 0.

    A sentence says which function it is, or why there is no lens. Nothing where the functions were not noted.
    """
    if recording.jitted is None:
        return ()
    try:
        return _answers(recording, recording.jitted, lambda name: name == file)
    except BaseException as error:
        # Also of Ctrl-C: the recording must not be lost for it.
        raised = errors.failure(error, recording.is_user_code)
        what = f"{raised.type}: {raised.message}".removesuffix(": ")
        return (_nothing(say("It could not be computed: {what}", what=what)),)


def _answers(recording: Recording, jitted: JittedCalls, is_own: Callable[[str], bool]) -> tuple[LensAnswer, ...]:
    call = jitted.largest
    if call is None:
        return (_nothing(say("The program called no jitted function, so there is nothing to show.")),)
    which = _function_words(call, len(jitted.functions) - 1, is_own)
    seconds = _compile_s(recording, call)
    if seconds > LONGEST_S:
        words = say(
            "It took {seconds:.0f} s to compile in the run, so it was not compiled again: the limit is {limit:.0f} s.",
            seconds=seconds,
            limit=LONGEST_S,
        )
        return (_nothing(sentences(which, words)),)
    with undisturbed():
        compiled = call.compiled()
    asked = [(name, work.of_compiled(compiled, is_own)) for name, work in lenses().items() if work.of_compiled]
    others = ", ".join(str(LENSES[name].name) for name, work in lenses().items() if not work.of_compiled)
    which = sentences(which, say("The lenses {names} trace or run the program: open it as a program.", names=others))
    return tuple(LensAnswer(0, 0, TOP_LEVEL, name, lens, which) for name, lens in asked if lens is not None)


def _function_words(call: JittedCall, others: int, is_own: Callable[[str], bool]) -> Text:
    span = SpanFinder(is_own).innermost(call.positions)
    which = say("This is {name}, the jitted function with the most bytes.", name=call.name)
    if span is not None:
        which = say(
            "This is {name}, called on line {line}, the jitted function with the most bytes.",
            name=call.name,
            line=span.line,
        )
    if not others:
        return which
    left_out = (
        say("1 other jitted function is not shown.")
        if others == 1
        else say("{count} other jitted functions are not shown.", count=others)
    )
    return sentences(which, left_out)


def _compile_s(recording: Recording, call: JittedCall) -> float:
    """Return the seconds that one compilation of the function took in the run; 0 if they are not known."""
    for each in recording.traces:
        if each.compiles and each.span is not None and (each.span.file, each.span.line) == call.place:
            return each.compile_s / each.compiles
    return 0.0


def _nothing(why: Text) -> LensAnswer:
    """Return an answer of the memory lens, which every recording may have."""
    return LensAnswer(0, 0, TOP_LEVEL, "memory", sentence=why)
