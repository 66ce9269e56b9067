"""Answers what a transform did to a variant of the newest program: it is traced anew for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from explorer.messages import LensRequest, LensTold, is_as_it_was
from explorer.messages.lenses.gradient import GradientCosts, GradientLens
from explorer.text.text import say
from explorer.worker.code import transformed
from explorer.worker.errors import failure as errors
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import outside
from explorer.worker.program.program import Call
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lenses.calls.lens import calls_lens
from explorer.worker.runs.lenses.devices import lens as devices
from explorer.worker.runs.lenses.gradient import mend
from explorer.worker.runs.lenses.gradient.lens import Gradient
from explorer.worker.runs.lenses.gradient.measured import measured
from explorer.worker.runs.lenses.gradient.rows import rows
from explorer.worker.runs.lenses.vmap.lens import vmap_lens
from explorer.worker.runs.questions.ran import Ran, forgotten

_Prepared = tuple[Call, dict[str, Any], Callable[[str], bool]]
"""A variant as it is called, its arguments, and what says of a file name whether it is the person's code."""


def told(request: LensRequest, ran: Ran | None, channel: Channel) -> LensTold:
    """Return all of what is asked; what tracing alone tells is sent first."""
    nothing = LensTold(request.run, request.of, request.variant, request.lens)
    if ran is None or ran.request.run != request.of:
        return replace(nothing, sentence=forgotten())
    if is_as_it_was(request.variant):
        return replace(nothing, sentence=say("This is told for the code in the editor, not for the code as it was."))
    try:
        with ran.again(channel.printed):
            if request.lens == "calls":
                lens = calls_lens(ran.program, request.variant, ran.request.transforms, channel.printed)
                return replace(nothing, lens=lens)
            prepared = _prepared(ran, request.variant)
            if request.lens == "vmap":
                return replace(nothing, lens=vmap_lens(*prepared))
            if request.lens == "devices":
                return _devices(nothing, prepared, channel)
            gradient = _gradient(nothing, prepared, channel, request)
            if request.further == "measure" and isinstance(gradient, Gradient):
                gradient.lens = replace(gradient.lens, costs=_costs(gradient, ran, request))
            elif request.further == "rows" and isinstance(gradient, Gradient):
                gradient.lens = replace(gradient.lens, rows=rows(gradient, *prepared[:2]))
        if not isinstance(gradient, Gradient):
            return replace(nothing, lens=gradient)
        return replace(nothing, lens=_with_mends(gradient, ran, request, channel))
    except outside.NotRunAgain as reason:
        return replace(nothing, sentence=reason.text)
    except Interrupt:
        raise
    except BaseException as error:
        failure = errors.failure(error, ran.program.is_persons)
        what = f"{failure.type}: {failure.message}"
        return replace(nothing, sentence=say("It could not be computed: {what}", what=what))


def _prepared(ran: Ran, variant: str) -> _Prepared:
    """Return the variant as it is called, in a program that is loaded anew, and its arguments."""
    loaded = ran.program.anew()
    call, inputs = transformed.prepared(loaded, variant, loaded.inputs(), ran.request.transforms)
    return call, inputs, loaded.is_persons


def _gradient(
    nothing: LensTold,
    prepared: _Prepared,
    channel: Channel,
    asked: LensRequest,
) -> Gradient | GradientLens:
    gradient = Gradient.of(*prepared)
    if isinstance(gradient, Gradient):
        if not asked.further:
            channel.send(replace(nothing, lens=gradient.lens, complete=False))
        gradient.evaluate()
    return gradient


def _costs(gradient: Gradient, ran: Ran, asked: LensRequest) -> GradientCosts:
    """Return what `gradient` costs, and beside it that of the variant it is compared with, where that has one."""
    gradients = {asked.variant: gradient}
    if asked.beside:
        other = Gradient.of(*_prepared(ran, asked.beside))
        if isinstance(other, Gradient):
            gradients[asked.beside] = other
    return measured(gradients)


def _with_mends(gradient: Gradient, ran: Ran, asked: LensRequest, channel: Channel) -> GradientLens:
    """Return what is told of `gradient`, with what keeps NaN out of it where that is asked."""
    first = gradient.lens.first_not_finite
    if first is None or not any(mend.proposed(gradient, ran.request.source)):
        return gradient.lens
    first = replace(first, may_be_mended=True)
    if asked.further == "mend":
        with ran.in_its_place():
            first = replace(first, fixes=mend.mends(gradient, ran.request, asked.variant, channel))
    return replace(gradient.lens, first_not_finite=first)


def _devices(nothing: LensTold, prepared: _Prepared, channel: Channel) -> LensTold:
    held, made = devices.who_holds_what(*prepared)
    if held.sentence:
        return replace(nothing, lens=held)
    channel.send(replace(nothing, lens=held, complete=False))
    return replace(nothing, lens=devices.with_collectives(held, made, prepared[2]))
