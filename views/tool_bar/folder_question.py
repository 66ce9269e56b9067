"""The question before a folder travels to a remote: the files, their size, and their removal there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

MOST_NAMED = 8


class FolderQuestion(QMessageBox):
    """Asks whether `files`, names with their sizes in bytes, of `folder` should travel to `remote`."""

    def __init__(self, parent: QWidget, folder: str, remote: str, files: Sequence[tuple[str, int]]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle(self.tr("Send the folder"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        size = f"{sum(size for _, size in files) / 1000:,.1f}"
        asked = self.tr("Send {count} files ({size} kB) of this folder to {remote}?").format(
            count=len(files), size=size, remote=remote
        )
        self.setText(f"{asked}\n\n{folder}")
        names = "\n".join(name for name, _ in files[:MOST_NAMED])
        more = self.tr("and {} more").format(len(files) - MOST_NAMED) if len(files) > MOST_NAMED else ""
        after = self.tr(
            "They go into a separate folder there. It is deleted, with everything the program wrote into it, when "
            "you stop running there. Hidden files, environments and links that leave the folder are not sent."
        )
        self.setInformativeText("\n\n".join(filter(None, (f"{names}\n{more}".strip(), after))))
        if more:
            self.setDetailedText("\n".join(f"{name}  ({size:,})" for name, size in files))
        send = self.addButton(self.tr("&Send"), QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(send)
