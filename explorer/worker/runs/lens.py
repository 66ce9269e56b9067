"""The worker's side of a lens: whether it applies to a run, and how it computes its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from explorer.messages import LensAnswer, LensRequest, Program
from explorer.messages.lenses.lens import Lens, Rerun
from explorer.worker.code import transformed
from explorer.worker.process.channel import Channel
from explorer.worker.program.program import Call
from explorer.worker.runs.last_run import LastRun

Prepared = tuple[Call, dict[str, Any], Callable[[str], bool]]
"""A variant as it is called, its arguments, and what says of a file name whether it is user code."""
Functions = Mapping[str, Callable[..., Any]]
"""Those of the tiny programs of the self-test, by name."""


@dataclass(frozen=True)
class Ended:
    """A variant that has run."""

    program: Program | None
    outputs: Any
    taken: Mapping[str, Any]
    """Its arguments; both are plain trees."""
    source: str = ""
    jits: bool = False
    """Whether the code may call jitted functions."""
    failed: bool = False


@dataclass(frozen=True)
class Asked:
    """A question about a variant of the newest program."""

    request: LensRequest
    ran: LastRun
    channel: Channel

    def again(self) -> AbstractContextManager[None]:
        """Let what is in the block run as the program has. Raises outside.NotRunAgain."""
        return self.ran.again(self.channel.printed)

    def prepared(self, variant: str = "") -> Prepared:
        """Return `variant`, by default the one in question, in a program that is loaded anew."""
        loaded = self.ran.program.anew()
        name = variant or self.request.variant
        call, inputs = transformed.prepared(loaded, name, loaded.inputs(), self.ran.request.transforms)
        return call, inputs, loaded.is_user_code

    def wants(self, rerun: Rerun) -> bool:
        """Return whether the request asks for this rerun, too."""
        return self.request.rerun == rerun.id

    def tell(self, lens: Lens) -> None:
        """Send what is known so far."""
        self.channel.send(replace(self.answer, lens=lens, complete=False))

    @property
    def answer(self) -> LensAnswer:
        """An answer in which nothing is reported."""
        return LensAnswer(self.request.run, self.request.about_run, self.request.variant, self.request.lens)


@dataclass(frozen=True)
class LensWork:
    """One lens in the worker: ``LENS`` of the module here that has its id."""

    has_to_say: Callable[[Ended], bool]
    """Whether it is offered; of a variant that failed, too."""
    tell: Callable[[Asked], Lens]
    """Tells all of what is asked; it goes ``again()`` itself, and what it raises is reported."""
    works: Callable[[Functions, Callable[[str], bool]], bool] | None = None
    """Whether it gives the known answers about the self-test's functions, where its ability is its own."""
