"""Unsaved edits on disk, so that they survive a crash of the window or of the machine."""

from __future__ import annotations

import contextlib
import hashlib
from datetime import datetime
from pathlib import Path

import msgspec

from explorer.library import paths

YEARS = range(1971, 9000)
"""Those that every clock and calendar can count to, in all zones."""


class Draft(msgspec.Struct, frozen=True):
    """The edited code of one scenario or file."""

    target: str
    """The scenario's id, or the path of the file."""
    source: str
    kept_at: datetime


def keep(target: str, source: str) -> None:
    """Keep `source` as the draft of `target`. Raises OSError when it cannot be written."""
    draft = Draft(target, source, datetime.now().astimezone())
    paths.write_atomically(_file(target), msgspec.json.encode(draft), private=True)


def find(target: str) -> Draft | None:
    """Return the draft of `target`, or None."""
    draft = paths.read_json(_file(target), Draft)
    if draft is None or draft.kept_at.year in YEARS:
        return draft
    # A clock was wrong, or somebody has written in the file: when it was written is known all the same.
    return msgspec.structs.replace(draft, kept_at=datetime.fromtimestamp(_file(target).stat().st_mtime).astimezone())


def discard(target: str) -> None:
    """Forget the draft of `target`. Where it cannot be removed, it is offered once more: that loses nothing."""
    with contextlib.suppress(OSError):
        _file(target).unlink(missing_ok=True)


def targets() -> frozenset[str]:
    """Return the targets that have a draft."""
    found = (paths.read_json(file, Draft) for file in paths.drafts_folder().glob("*.json"))
    return frozenset(draft.target for draft in found if draft)


def _file(target: str) -> Path:
    return paths.drafts_folder() / f"{hashlib.sha256(target.encode()).hexdigest()[:24]}.json"
