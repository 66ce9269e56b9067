"""Messages for tests, whole but for what a test is about, and the views that show them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Array, Failure, Picture, PictureRole, Report, Snapshot

View = TypeVar("View", bound=QWidget)


def put_up(qtbot: QtBot, view: View, width: int = 0, height: int = 0) -> View:
    """Return `view` on screen, in its own size or in this one, until the test ends."""
    hold(qtbot, view, width, height).show()
    return view


def hold(qtbot: QtBot, view: View, width: int = 0, height: int = 0) -> View:
    """Return `view`, which is not on screen, until the test ends."""
    qtbot.addWidget(view)
    if width:
        view.resize(width, height)
    return view


def heard(signal: Any) -> list[Any]:
    """Return a list of what `signal` carries from now on."""
    found: list[Any] = []
    signal.connect(found.append)
    return found


def snapshot(*reports: Report, complete: bool = True, failure: Failure | None = None, **fields: Any) -> Snapshot:
    """Return the snapshot of a run."""
    return Snapshot(1, "cpu:0", complete, reports=reports, failure=failure, **fields)


def picture(values: Any, verdict: str = "", name: str = "output", role: PictureRole = "output", **more: Any) -> Picture:
    """Return a picture whose rows along its axis are grouped by value, unless `groups` says otherwise."""
    values = np.asarray(values)
    axis = more.pop("axis", 0)
    rows = [row.tobytes() for row in np.moveaxis(values, axis, 0)] if values.ndim else [b""]
    groups = more.pop("groups", [list(dict.fromkeys(rows)).index(row) for row in rows])
    finite = values[np.isfinite(values)]
    return Picture(
        role=role,
        name=name,
        shape=more.pop("shape", values.shape),
        dtype=str(values.dtype),
        values=Array.of(values),
        axis=axis,
        groups=Array.of(groups, np.int32),
        distinct=len(set(groups)),
        verdict=verdict,
        low=float(finite.min()) if finite.size else 0.0,
        high=float(finite.max()) if finite.size else 0.0,
        not_finite=values.size - finite.size,
        **more,
    )
