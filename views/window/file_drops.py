"""FileDrops: files and folders that are dropped on the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

ENDINGS = (".py", ".ipynb", ".jaxrec", ".toml")
"""Endings of files that can be opened; folders can be opened, too."""


class FileDrops(QObject):
    """Takes one file or folder that is dropped on `window`, outside of widgets that accept drops themselves.

    Signals:
        dropped: the path of the file.
    """

    dropped = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Accept a file that can be opened while it is over the window, and emit its path when it is dropped."""
        kinds = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)
        if event.type() not in kinds or not isinstance(event, QDropEvent):
            return False
        path = path_of(event.mimeData())
        if not path:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() is QEvent.Type.Drop:
            self.dropped.emit(path)
        return True


def path_of(data: QMimeData) -> str:
    """Return the path of the one file or folder in `data` that can be opened; empty where there is none."""
    paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    if len(paths) != 1 or len(data.urls()) != 1:
        return ""
    return paths[0] if paths[0].lower().endswith(ENDINGS) or "." not in paths[0].rpartition("/")[2] else ""
