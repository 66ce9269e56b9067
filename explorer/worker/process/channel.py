"""The connections of a run to the outside: the message pipe, the program's output, and the interrupts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from explorer.messages import FromWorker
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText


class Channel(msgspec.Struct, frozen=True):
    """The message pipe, the program's output, and the interrupts."""

    send: Callable[[FromWorker], None]
    printed: PrintedText
    interrupts: Interrupts
