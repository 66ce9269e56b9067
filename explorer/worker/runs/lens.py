"""The worker's side of a lens: whether it applies to a run, and the computation of its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import msgspec
from msgspec.structs import replace

from explorer.messages import Applied, LensAnswer, LensRequest, Program
from explorer.messages.tables import Lens, Rerun
from explorer.worker.code import transformed, trees
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.process.channel import Channel
from explorer.worker.program import retraces
from explorer.worker.program.program import Call
from explorer.worker.runs.isolated import LastRun

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
        loaded, call, inputs = self.loaded()
        return call, inputs, loaded.is_user_code

    def loaded(self) -> tuple[LoadedProgram, Call, dict[str, Any]]:
        """Return a freshly loaded program, and the requested variant of it with its arguments."""
        loaded, name = self.ran.program.anew(until=self.request.subject), self.request.variant
        return loaded, *transformed.prepared(loaded, name)

    def wants(self, rerun: Rerun) -> bool:
        """Return whether the request includes this rerun."""
        return self.request.rerun == rerun.id

    def send(self, lens: Lens) -> None:
        """Send a preliminary answer."""
        self.channel.send(replace(self.answer, lens=lens, complete=False))

    @property
    def answer(self) -> LensAnswer:
        """An empty answer."""
        return LensAnswer(self.request.run, self.request.about_run, self.request.variant, self.request.lens)


class LensWork(msgspec.Struct, frozen=True):
    """One lens in the worker: ``LENS`` of the module with its id."""

    applies_to: Callable[[FinishedRun], bool]
    """Return whether the lens is offered, also for a failed variant."""
    compute: Callable[[LensInput], Lens]
    """Return the whole answer; it calls ``again()`` itself, and its exceptions are reported."""
