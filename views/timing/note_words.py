"""What is said of a point beside its figures, in the language of the window; the worker's words are in it already."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import NO_SAMPLE, reason_without_figure
from explorer.messages import Measurement

_CUT_SHORT = re.compile(r"cut short: stopped after (\d+) samples?")


def note_in_words(note: str) -> str:
    """Return `note`, such as ``unstable: ...``, in the language of the window."""
    if cut_short := _CUT_SHORT.fullmatch(note):
        told = QCoreApplication.translate("timing_notes", "cut short; samples until then: {}")
        return told.format(cut_short[1])
    kind, colon, rest = note.partition(": ")
    kinds = {
        "unstable": QCoreApplication.translate("timing_notes", "unstable"),
        "first call": QCoreApplication.translate("timing_notes", "first call"),
    }
    return f"{kinds[kind]}: {rest}" if colon and kind in kinds else note


def reason_in_words(point: Measurement) -> str:
    """Return why `point` has no median; empty where it has one or it is still to come."""
    reason = reason_without_figure(point)
    return (
        QCoreApplication.translate("timing_notes", "stopped before there was a sample")
        if reason == NO_SAMPLE
        else reason
    )
