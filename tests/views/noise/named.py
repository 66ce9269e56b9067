"""Parts of a pane by their accessible names."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

Part = TypeVar("Part", bound=QWidget)


def named(view: QWidget, kind: type[Part], name: str) -> Part:
    """Return the part of `view` that is called `name`; those that are hidden are found too."""
    (found,) = [part for part in view.findChildren(kind) if part.accessibleName() == name]
    return found
