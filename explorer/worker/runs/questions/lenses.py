"""Answers what a transform did to a variant of the newest program: it is traced anew for that."""

from __future__ import annotations

from msgspec.structs import replace

from explorer.messages import LensRequest, LensTold, is_as_it_was
from explorer.worker.code import transformed
from explorer.worker.errors import failure as errors
from explorer.worker.lenses.gradient.lens import Gradient
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import outside
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.questions.ran import Ran, forgotten
from explorer.worker.spoken.say import say


def told(request: LensRequest, ran: Ran | None, channel: Channel) -> LensTold:
    """Return all of what is asked; what tracing alone tells is sent first."""
    nothing = LensTold(request.run, request.of, request.variant, request.lens)
    if ran is None or ran.request.run != request.of:
        return replace(nothing, sentence=forgotten())
    if is_as_it_was(request.variant):
        return replace(nothing, sentence=say("This is told for the code in the editor, not for the code as it was."))
    try:
        with ran.again(channel.printed):
            return _gradient(nothing, ran, channel)
    except outside.NotRunAgain as reason:
        return replace(nothing, sentence=str(reason))
    except Interrupt:
        raise
    except BaseException as error:
        failure = errors.failure(error, ran.program.is_persons)
        what = f"{failure.type}: {failure.message}"
        return replace(nothing, sentence=say("It could not be computed: {what}", what=what))


def _gradient(nothing: LensTold, ran: Ran, channel: Channel) -> LensTold:
    loaded = ran.program.anew()
    prepared = transformed.prepared(loaded, nothing.variant, loaded.inputs(), ran.request.transforms)
    gradient = Gradient.of(*prepared, loaded.is_persons)
    if not isinstance(gradient, Gradient):
        return replace(nothing, lens=gradient)
    channel.send(replace(nothing, lens=gradient.lens, complete=False))
    gradient.evaluate()
    return replace(nothing, lens=gradient.lens)
