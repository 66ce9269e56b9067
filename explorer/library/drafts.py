"""Unsaved edits on disk, so that they survive a crash of the window or of the machine."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from datetime import datetime
from pathlib import Path

import msgspec

from explorer.library import paths


class Draft(msgspec.Struct, frozen=True):
    """The edited code of one scenario or file."""

    target: str
    """The scenario's id, or the path of the file."""
    source: str
    kept_at: datetime


def keep(target: str, source: str) -> None:
    """Keep `source` as the draft of `target`. Raises OSError when it cannot be written."""
    draft = Draft(target, source, datetime.now().astimezone())
    paths.write_atomically(_file(target), msgspec.json.encode(draft))


def find(target: str) -> Draft | None:
    """Return the draft of `target`, or None."""
    return paths.read_json(_file(target), Draft)


def discard(target: str) -> None:
    """Forget the draft of `target`. Where it cannot be removed, it is offered once more: that loses nothing."""
    with contextlib.suppress(OSError):
        _file(target).unlink(missing_ok=True)


def targets() -> frozenset[str]:
    """Return the targets that have a draft."""
    found = (_target(file, paths.stamp(file)) for file in paths.drafts_folder().glob("*.json"))
    return frozenset(target for target in found if target is not None)


@functools.lru_cache(maxsize=512)
def _target(file: Path, _stamp: paths.Stamp | None) -> str | None:
    """Return the target of the draft in `file`, which is read again only when it has changed."""
    draft = paths.read_json(file, Draft)
    return draft.target if draft is not None else None


def _file(target: str) -> Path:
    return paths.drafts_folder() / f"{hashlib.sha256(target.encode()).hexdigest()[:24]}.json"
