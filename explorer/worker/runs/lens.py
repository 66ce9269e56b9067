"""A lens in the worker (`LensWork`): whether it applies to a run, and its answer; all lenses answer by their id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Any

import msgspec
from msgspec.structs import replace

from explorer.messages import Applied, LensAnswer, LensRequest, Program, is_original
from explorer.messages.lenses import LENSES, Lens, Rerun
from explorer.text.text import say
from explorer.worker.code import transformed, trees
from explorer.worker.errors import failure as errors
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import side_effects
from explorer.worker.program import retraces
from explorer.worker.program.program import Call
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.isolated import LastRun, forgotten

Prepared = tuple[Call, dict[str, Any], Callable[[str], bool]]
"""(variant as a function, its arguments, predicate for user files)"""


class FinishedRun(msgspec.Struct, frozen=True):
    """A variant after its run."""

    program: Program | None
    outputs: Any
    arguments: Mapping[str, Any]
    """Its arguments; outputs and arguments are plain pytrees."""
    source: str = ""
    failed: bool = False
    applied: tuple[Applied, ...] = ()

    @property
    def may_jit(self) -> bool:
        """Whether it may call jitted functions, judged by its text."""
        applied = (each.name for each in self.applied)
        return "jit" in applied or any(word in self.source for word in retraces.WORDS)

    @property
    def can_be_compiled(self) -> bool:
        """Whether it ran, and JAX can trace it."""
        return not self.failed and (self.program is None or self.program.failure is None)


def has_arrays(finished: FinishedRun) -> bool:
    """Return whether there is anything to compile: arrays that go in or come out."""
    leaves = trees.leaves((finished.outputs, dict(finished.arguments)))
    return finished.can_be_compiled and any(hasattr(each, "nbytes") for each in leaves)


class LensInput(msgspec.Struct, frozen=True):
    """A question about a variant of the last program."""

    request: LensRequest
    ran: LastRun
    channel: Channel

    def again(self) -> AbstractContextManager[None]:
        """Run the block in the program's process state. Raises outside.NotRunAgain."""
        return self.ran.again(self.channel.printed)

    def prepared(self) -> Prepared:
        """Return the requested variant of a freshly loaded program."""
        loaded = self.ran.program.anew(until=self.request.subject)
        return *transformed.prepared(loaded, self.request.variant), loaded.is_user_code

    def wants(self, rerun: Rerun) -> bool:
        """Return whether the request includes this rerun."""
        return self.request.rerun == rerun.id

    def send(self, lens: Lens) -> None:
        """Send a preliminary answer."""
        self.channel.send(replace(_nothing(self.request), lens=lens, complete=False))


class LensWork(msgspec.Struct, frozen=True):
    """One lens in the worker: ``LENS`` of the module with its id."""

    applies_to: Callable[[FinishedRun], bool]
    """Return whether the lens is offered, also for a failed variant."""
    compute: Callable[[LensInput], Lens]
    """Return the whole answer; it calls ``again()`` itself, and its exceptions are reported."""


# -- all lenses ------------------------------------------------------------------------------------------------------


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
    nothing = _nothing(request)
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


def _nothing(request: LensRequest) -> LensAnswer:
    return LensAnswer(request.run, request.about_run, request.variant, request.lens)
