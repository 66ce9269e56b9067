"""What the worker answers to single questions, and everything that it may say."""

from __future__ import annotations

from typing import TypeGuard

import msgspec

from explorer.messages.reports import Hello, Picture, Printed, Programs, Snapshot
from explorer.messages.times import Measurement, TimingDone


class Loop(msgspec.Struct, frozen=True, array_like=True):
    """One loop around an equation whose value is shown."""

    primitive: str
    """``scan`` or ``while``."""
    length: int
    """How many rounds it has for the current inputs."""
    step: int
    """The round that is shown, from 0."""


class EquationValue(msgspec.Struct, frozen=True, tag=True):
    """The answer to a ValueRequest."""

    run: int
    of: int
    variant: str
    equation: int
    pictures: tuple[Picture, ...] = ()
    """What the equation binds, then what it reads, each with the role ``value``."""
    loops: tuple[Loop, ...] = ()
    """The loops around the equation, outermost first."""
    sentence: str = ""
    """Why there is no picture, or what to know about it."""


class NameAnswer(msgspec.Struct, frozen=True, tag=True):
    """What the worker knows of a NameQuestion's place; all of it empty where it knows nothing."""

    number: int
    names: tuple[str, ...] = ()
    """All that may stand there, whatever letters of them are written; the person's own first."""
    title: str = ""
    """What the name there is: ``jnp.sum(a, axis=None)``, ``x: float32[32,10]``."""
    doc: str = ""
    """The first paragraph of its docstring, as plain text."""


FromRun = Hello | Printed | Programs | Snapshot | Measurement | TimingDone | EquationValue
FromWorker = FromRun | NameAnswer


def ends_run(message: FromWorker) -> TypeGuard[Programs | Snapshot | TimingDone | EquationValue]:
    """Return whether `message` is the last one of its run."""
    if isinstance(message, Programs):
        return message.last
    return isinstance(message, TimingDone | EquationValue) or (isinstance(message, Snapshot) and message.complete)
