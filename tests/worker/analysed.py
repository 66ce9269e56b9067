"""Requests answered in this process, for tests of the answers."""

from __future__ import annotations

from typing import Any

from explorer.messages import FromWorker, Report, Request, Snapshot
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.runs import analyse


def channel(sent: list[FromWorker] | None = None) -> Channel:
    """Return a channel that appends its messages to `sent`."""
    cache: list[FromWorker] = [] if sent is None else sent
    return Channel(cache.append, PrintedText(lambda _: None), Interrupts())


def snapshot(source: str, run: int = 1, **fields: Any) -> Snapshot:
    """Return the complete snapshot of `source`."""
    return analyse.analyse(Request(run, source, "<test>", **fields), channel())


def report(source: str, name: str, **fields: Any) -> Report:
    """Return the report of variant `name` of `source`."""
    found = snapshot(source, variants=(name,), **fields).report(name)
    assert found is not None
    return found
