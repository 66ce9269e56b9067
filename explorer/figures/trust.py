"""Reliability of a whole curve."""

from __future__ import annotations

from explorer.figures.curves import Figures, Series
from explorer.messages import Note, NoteKind

DOUBTS: tuple[NoteKind, ...] = ("outputs differ", "constant-folded", "other device", "numpy inputs", "settings on")
"""Notes that invalidate a whole curve, the worst first; instability concerns single points only."""


def doubt(figures: Figures, series: Series) -> Note | None:
    """Return the worst reason not to rely on the curve of `series`, or None."""
    notes = [note for point in figures.of_series(series) for note in point.notes if note.kind in DOUBTS]
    return min(notes, key=lambda note: DOUBTS.index(note.kind), default=None)
