"""The words of a page: a lesson may bring pictures of its own, and nothing else is read from anywhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTextBrowser

MOST_BYTES = 8_000_000


class StoryText(QTextBrowser):
    """Shows Markdown whose pictures lie in one folder; links are told by `anchorClicked` alone."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self._folder = ""

    def set_folder(self, folder: str) -> None:
        """Read pictures from `folder` and from nowhere else; empty for no pictures."""
        self._folder = folder

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 (Qt)
        """Return the bytes of a picture of the lesson's own; of anything else nothing, without a look at it."""
        image = QTextDocument.ResourceType.ImageResource
        path = picture_path(self._folder, QUrl(name)) if kind == image.value else None
        return path.read_bytes() if path is not None else b""


def picture_path(folder: str, url: QUrl) -> Path | None:
    """Return where the picture `url` of a lesson lies, a small file below `folder`; None for any other."""
    if not folder or not url.isRelative() or url.host():
        return None
    root = Path(folder).resolve()
    try:
        path = (root / url.path()).resolve()
        inside = path.is_relative_to(root) and path.is_file() and path.stat().st_size <= MOST_BYTES
    except (OSError, ValueError, RuntimeError):
        return None
    return path if inside else None
