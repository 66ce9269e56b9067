"""OwnDocument, TextBrowser: untrusted texts with own pictures only; plain_tip() escapes, ask() opens links.

Qt's own document asks `loadResource` first, and where that refuses, it reads the file of that name all the same. So its
image handler is replaced, in each document again: a copy made by Qt has Qt's own handler.
"""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtCore import QCoreApplication, QObject, QRect, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QPainter,
    QPen,
    QPyTextObject,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QMessageBox, QTextBrowser, QWidget

from explorer.text.html import tag
from views.parts.own_picture import picture

SCHEMES = ("http", "https")
LESSON_SCHEME, TERM_SCHEME, VARIANT_SCHEME, SELECTION_SCHEME = "lesson", "term", "variant", "selection"
"""The schemes of links to a lesson, a term of the glossary and a variant, followed by the id or name; and to what the
page is about."""
LONGEST = 400
"""The most characters of an address; a longer one is not opened."""


def ask(asker: QWidget, address: str) -> None:
    """Show the full `address`, and open it if the user agrees; other schemes are reported."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    # As the browser asks for it: letters that look like others cannot hide in it.
    shown = bytes(url.toEncoded().data()).decode("ascii")
    translate = QCoreApplication.translate
    box = QMessageBox(asker.window())
    box.setTextFormat(Qt.TextFormat.PlainText)
    if not url.isValid() or url.scheme() not in SCHEMES or not url.host() or len(shown) > LONGEST:
        box.setText(translate("WebLinks", "This link was not opened, because it is not a web address:"))
        box.setInformativeText((shown or address)[:LONGEST])
        box.exec()
        return
    box.setText(translate("WebLinks", "Open this address in your browser?"))
    box.setInformativeText(shown)
    box.addButton(translate("WebLinks", "Open"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    if box.exec() != QMessageBox.StandardButton.Cancel:
        QDesktopServices.openUrl(url)


def plain_tip(words: str) -> str:
    """Return `words` for a tool tip, escaped so that Qt does not read them as HTML."""
    if not QtGui.Qt.mightBeRichText(words):
        return words
    return tag("p", words, style="white-space: pre-wrap")


MISSING_PX = 16.0
"""Side of the empty frame instead of a picture that is not read."""
MOST_PX = 8000.0
"""The largest width and height of a picture in a text."""


class OwnDocument(QTextDocument):
    """A QTextDocument with pictures from one folder and from nowhere else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = _Pictures(self)
        # Before there is any text: with the first picture it would be too late.
        self.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, self._pictures)

    def set_folder(self, folder: str) -> None:
        """Read pictures from `folder` from now on; empty for no pictures."""
        self._pictures.set_folder(folder)

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:  # noqa: N802 (Qt)
        """Return None without reading the named resource: pictures are drawn by our own handler."""
        return b""

    def twin(self, parent: QObject) -> OwnDocument:
        """Return a copy, as `clone` does, that reads no more than this."""
        copy = OwnDocument(parent)
        copy.set_folder(self._pictures.folder)
        copy.setDefaultFont(self.defaultFont())
        copy.setDefaultTextOption(self.defaultTextOption())
        copy.setIndentWidth(self.indentWidth())
        QTextCursor(copy).insertFragment(QTextDocumentFragment(self))
        copy.rootFrame().setFrameFormat(self.rootFrame().frameFormat())
        return copy


class TextBrowser(QTextBrowser):
    """A QTextBrowser that shows an OwnDocument, and only reports links."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.own = OwnDocument(self)
        self.setDocument(self.own)


class _Pictures(QPyTextObject):
    """Draws the pictures of a document, each read once."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.folder = ""
        self._read: dict[str, QImage] = {}

    def set_folder(self, folder: str) -> None:
        """Read from `folder`, and read pictures again: they may have changed."""
        self.folder = folder
        self._read.clear()

    def intrinsicSize(self, _document: QTextDocument, _place: int, look: QTextFormat) -> QSizeF:  # noqa: N802
        """Return the size of the picture in pixels."""
        size = self._image(look).size()
        side = QSizeF(size) if not size.isEmpty() else QSizeF(MISSING_PX, MISSING_PX)
        return side.boundedTo(QSizeF(MOST_PX, MOST_PX))

    def drawObject(  # noqa: N802
        self, painter: QPainter, place: QRectF | QRect, _document: QTextDocument, _at: int, look: QTextFormat
    ) -> None:
        """Draw the picture, or an empty frame for an unreadable one."""
        image, area = self._image(look), QRectF(place)
        if image.isNull():
            painter.save()
            painter.setPen(QPen(look.foreground().color(), 1))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
            painter.restore()
        else:
            painter.drawImage(area, image)

    def _image(self, look: QTextFormat) -> QImage:
        name = look.toImageFormat().name()
        if name not in self._read:
            self._read[name] = picture(self.folder, name)
        return self._read[name]
