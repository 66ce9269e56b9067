"""Parts: whether a new snapshot changes the contents of one view."""

from __future__ import annotations

from typing import Any

from explorer.messages import Failure, Report, Snapshot, Status


class Parts:
    """Remembers the contents of a view. Keystrokes bring many snapshots, and drawing equal contents costs a frame."""

    def __init__(self, *names: str) -> None:
        self._names = names
        """The fields of a report that the view shows; the first is its subject."""
        self._state: tuple[object, ...] = ()
        self._parts: tuple[Any, ...] = ()

    def are_new(self, snapshot: Snapshot) -> bool:
        """Return whether `snapshot` changes the contents of the view, and remember it.

        Parts are compared by identity, because comparing a graph of a million keys takes long; contents that stay on
        screen during a newer run are the same objects.
        """
        parts = tuple(getattr(report, name) for report in snapshot.reports for name in self._names)
        subjects = parts[:: len(self._names)]
        # Why there is nothing is another matter once nothing can come any more.
        is_final = snapshot.complete and not (subjects and all(subjects))
        now = (snapshot.failure, is_final, *map(_state, snapshot.reports, subjects))
        if now == self._state and all(old is new for old, new in zip(self._parts, parts, strict=True)):
            return False
        self._state, self._parts = now, parts
        return True


def _state(report: Report, part: Any) -> tuple[str, Failure | None, Status | None]:
    """Return the other parts of `report` that a view shows; the status matters while there is no part."""
    return report.name, report.failure, report.status if part is None or report.status == "stopped" else None
