"""The names of variants on screen: as in the code; in words for the original code and the top level; files."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from explorer.messages import AS_IT_WAS, TOP_LEVEL, is_as_it_was
from explorer.messages.recorded_run import is_recording


def shown_variant(name: str) -> str:
    """Return the name on screen of the variant called `name` in a report."""
    if name == TOP_LEVEL:
        return QCoreApplication.translate("VariantNames", "top level")
    if not is_as_it_was(name):
        return name
    variant = name.removesuffix(f" {AS_IT_WAS}")
    if is_recording(variant):
        return variant
    words = QCoreApplication.translate("VariantNames", "{variant} as it was")
    return words.format(variant=shown_variant(variant))
