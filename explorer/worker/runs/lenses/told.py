"""Answers what a lens shows of a variant of the newest program."""

from __future__ import annotations

from msgspec.structs import replace

from explorer.messages import LensRequest, LensTold, is_as_it_was
from explorer.text.text import say
from explorer.worker.errors import failure as errors
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import outside
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import Asked
from explorer.worker.runs.lens_registry import lenses
from explorer.worker.runs.ran import Ran, forgotten

_LENSES = lenses()
"""Found at once: each run of a program is a process of its own, which would look again."""


def told(request: LensRequest, ran: Ran | None, channel: Channel) -> LensTold:
    """Return all of what is asked; what a lens knows first is sent before."""
    nothing = LensTold(request.run, request.of, request.variant, request.lens)
    if ran is None or ran.request.run != request.of:
        return replace(nothing, sentence=forgotten())
    if is_as_it_was(request.variant):
        return replace(nothing, sentence=say("This is told for the code in the editor, not for the code as it was."))
    try:
        return replace(nothing, lens=_LENSES[request.lens].tell(Asked(request, ran, channel)))
    except outside.NotRunAgain as reason:
        return replace(nothing, sentence=reason.text)
    except Interrupt:
        raise
    except BaseException as error:
        failure = errors.failure(error, ran.program.is_persons)
        what = f"{failure.type}: {failure.message}"
        return replace(nothing, sentence=say("It could not be computed: {what}", what=what))
