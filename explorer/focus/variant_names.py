"""The names of variants on screen: as in the code; in words for the original code and the top level."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from explorer.messages import ORIGINAL, TOP_LEVEL, Report, is_original


def shown_variant(name: str) -> str:
    """Return the name on screen of the variant called `name` in a report."""
    if name == TOP_LEVEL:
        return QCoreApplication.translate("VariantNames", "whole file")
    if not is_original(name):
        return name
    words = QCoreApplication.translate("VariantNames", "{variant} as it was")
    return words.format(variant=shown_variant(name.removesuffix(f" {ORIGINAL}")))


def shown_subject(report: Report) -> str:
    """Return the name on screen of the function that the program of `report` is of."""
    if not report.subject:
        return shown_variant(report.name)
    words = QCoreApplication.translate("VariantNames", "{variant} as it was")
    return words.format(variant=report.subject) if is_original(report.name) else report.subject
