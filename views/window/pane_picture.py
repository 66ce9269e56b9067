"""What a pane shows as a picture: on the clipboard, or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QPixmap
from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from views.window.pane import Pane


class PanePicture(QObject):
    """Offers both in the menu of `body`, in which the view of `pane` lies.

    Signals:
        told: a sentence on how it went.
    """

    told = Signal(str)

    def __init__(self, pane: Pane, body: QWidget) -> None:
        super().__init__(pane)
        self._pane = pane
        self._copy = QAction(self.tr("Copy the picture"), body)
        self._copy.triggered.connect(self.copy)
        self._save = QAction(self.tr("Save the picture as…"), body)
        self._save.triggered.connect(self.save)
        body.addActions([self._copy, self._save])
        body.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.refresh()

    @property
    def is_there(self) -> bool:
        """Whether there is something that may be seen."""
        return self._pane.view is not None and not self._pane.is_covered

    def refresh(self) -> None:
        """Offer a picture where there is one."""
        for action in (self._copy, self._save):
            action.setEnabled(self.is_there)

    def copy(self) -> None:
        """Put the picture on the clipboard: as PNG, and as SVG where it is drawn in lines."""
        picture, svg = self._painted(), self._svg()
        data = QMimeData()
        data.setImageData(picture.toImage())
        data.setData("image/png", _png(picture))
        if svg:
            data.setData("image/svg+xml", svg)
        QGuiApplication.clipboard().setMimeData(data)
        self.told.emit(self.tr("The picture of {} is on the clipboard.").format(self._pane.windowTitle()))

    def save(self) -> None:
        """Ask for a file and write the picture to it."""
        # Taken before the dialog covers anything.
        contents = {".png": _png(self._painted()), ".svg": self._svg()}
        kinds = [f"{kind[1:].upper()} (*{kind})" for kind, content in contents.items() if content]
        start = f"{self._pane.name}.png"
        name, kind = QFileDialog.getSaveFileName(self._pane, self.tr("Save the picture"), start, ";;".join(kinds))
        if not name:
            return
        path = Path(name)
        if not contents.get(path.suffix.lower()):
            path = path.with_name(path.name + (".svg" if kind.startswith("SVG") else ".png"))
        try:
            path.write_bytes(contents[path.suffix.lower()])
        except OSError as error:
            self.told.emit(self.tr("The picture was not saved: {}.").format(error.strerror or error))
        else:
            self.told.emit(self.tr("Saved as {}.").format(path))

    def _painted(self) -> QPixmap:
        """Return the picture as the view itself would print it, or else as it is on screen."""
        view = self._pane.view
        prints = getattr(view, "picture", None)
        return prints() if prints is not None else view.grab() if view is not None else QPixmap()

    def _svg(self) -> bytes:
        draws = getattr(self._pane.view, "svg", None)
        return draws() if draws is not None else b""


def _png(picture: QPixmap) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(buffer.data().data())
