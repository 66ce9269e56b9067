"""The lenses in the worker, found by id: those offered by a variant, and their answers."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from msgspec.structs import replace

from explorer.messages import LensAnswer, LensRequest, is_original
from explorer.messages.lenses import LENSES
from explorer.text.text import say
from explorer.worker.errors import failure as errors
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import side_effects
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.isolated import LastRun, forgotten
from explorer.worker.runs.lens import FinishedRun, LensInput, LensWork


@cache
def lenses() -> dict[str, LensWork]:
    """Return all lenses by id, in the order of the specs. Imported late: some import what runs variants."""
    found = {name: import_module(f"{__package__}.lenses.{name}").LENS for name in LENSES}
    assert all(isinstance(each, LensWork) for each in found.values())
    return found


def offered(finished: FinishedRun) -> tuple[str, ...]:
    """Return the ids of the lenses that apply to a variant after its run."""
    return tuple(name for name, lens in lenses().items() if lens.applies_to(finished))


def answer(request: LensRequest, ran: LastRun | None, channel: Channel) -> LensAnswer:
    """Return the answer to `request`; preliminary ones are sent before."""
    nothing = LensAnswer(request.run, request.about_run, request.variant, request.lens)
    if ran is None or ran.request.run != request.about_run:
        return replace(nothing, sentence=forgotten())
    if is_original(request.variant):
        return replace(
            nothing, sentence=say("This holds for the code in the editor, not for the code before the edits.")
        )
    try:
        return replace(nothing, lens=lenses()[request.lens].compute(LensInput(request, ran, channel)))
    except side_effects.NotRunAgain as reason:
        return replace(nothing, sentence=reason.text)
    except Interrupt:
        raise
    except BaseException as error:
        failure = errors.failure(error, ran.program.is_user_code)
        return replace(nothing, sentence=say("It could not be computed: {what}", what=failure.words))
