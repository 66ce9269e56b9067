"""What a variant is called on screen: as in the code, and the code before the edits in the person's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from explorer.messages import AS_IT_WAS, is_as_it_was


def shown_variant(name: str) -> str:
    """Return what the variant called `name` in a report is called on screen."""
    if not is_as_it_was(name):
        return name
    words = QCoreApplication.translate("VariantNames", "{variant} as it was")
    return words.format(variant=name.removesuffix(f" {AS_IT_WAS}"))
