"""The list of names that fit at the cursor, with what the chosen one is below it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from explorer.messages import Name, NameAnswer, NameKind
from views.code.words_of_names import described
from views.theme import LIGHT, Theme

MOST_ROWS = 9
WIDTH = 400
DOC_LINES = 5

Index = QModelIndex | QPersistentModelIndex
_NAME = Qt.ItemDataRole.UserRole


class Completion(QFrame):
    """A list over the editor. It never takes the keyboard: the editor says which key means what.

    Signals:
        chosen: the text of the Name that was clicked.
        current_changed: the text of the Name that is marked now.
    """

    chosen = Signal(str)
    current_changed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._list = QListWidget()
        self._list.setUniformItemSizes(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName(self.tr("Names that fit"))
        kinds: dict[NameKind, str] = {
            "argument": self.tr("argument"),
            "variable": self.tr("variable"),
            "function": self.tr("function"),
            "class": self.tr("class"),
            "module": self.tr("module"),
            "keyword": self.tr("keyword"),
        }
        self._delegate = _NameDelegate(self._list, kinds)
        self._list.setItemDelegate(self._delegate)
        self._doc = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._doc.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._doc.setAutoFillBackground(True)
        self._lay_out()
        self._list.itemClicked.connect(self._on_clicked)
        self._list.currentItemChanged.connect(self._on_current_changed)
        self.apply_theme(LIGHT)
        self.hide()

    @property
    def current(self) -> str:
        """The text of the name that is marked."""
        item = self._list.currentItem()
        return item.text() if item else ""

    def names(self) -> list[str]:
        """Return the texts of the names that are shown."""
        return [self._list.item(row).text() for row in range(self._list.count())]

    def doc(self) -> str:
        """Return what is said of the marked name, as HTML."""
        return self._doc.text()

    def show_names(self, names: tuple[Name, ...], word: str) -> None:
        """List `names`; `word` is what has been typed of them."""
        self._delegate.word = word
        self._list.blockSignals(True)
        self._list.clear()
        for each in names:
            item = QListWidgetItem(each.text, self._list)
            item.setData(_NAME, each)
        self._list.blockSignals(False)
        self._doc.clear()
        self._list.setCurrentRow(0)

    def show_description(self, answer: NameAnswer) -> None:
        """Say of the marked name what `answer` knows of it."""
        self._doc.setText(described(answer, self._theme))

    def step(self, rows: int) -> None:
        """Mark the name `rows` further down; past the end it begins anew when it is a single step."""
        count, row = self._list.count(), self._list.currentRow() + rows
        self._list.setCurrentRow(row % count if abs(rows) == 1 else min(max(row, 0), count - 1))

    def place(self, window: QWidget, cursor: QRect) -> None:
        """Come to lie over `window` below `cursor`, given in its coordinates, or above where there is no room."""
        self.setParent(window)
        rows = min(MOST_ROWS, self._list.count())
        height = rows * self._list.sizeHintForRow(0) + self._doc.minimumHeight() + 2
        width = min(self._theme.px(WIDTH), window.width())
        left = max(0, min(cursor.left(), window.width() - width))
        below = cursor.bottom() + self._theme.px(2)
        fits = below + height <= window.height()
        self.setGeometry(left, below if fits else max(0, cursor.top() - height), width, height)
        self.show()
        self.raise_()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._list.setFont(theme.mono_font())
        self._delegate.theme = theme
        self._doc.setFont(theme.font(0.95))
        self._doc.setMargin(theme.px(6))
        self._doc.setFixedHeight(DOC_LINES * self._doc.fontMetrics().lineSpacing() + 2 * theme.px(6))
        self._doc.setStyleSheet(f"background: {theme.panel}; border-top: 1px solid {theme.hairline};")
        self.setStyleSheet(f"Completion {{ background: {theme.background}; border: 1px solid {theme.dim}; }}")

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._doc)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        for part in (self, self._list, self._doc):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.text())

    def _on_current_changed(self, current: QListWidgetItem | None) -> None:
        if current is not None:
            self.current_changed.emit(current.text())


class _NameDelegate(QStyledItemDelegate):
    """Paints a name with what was typed of it in bold, and its kind at the right."""

    def __init__(self, parent: QListWidget, kinds: dict[NameKind, str]) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.word = ""
        self._kinds = kinds

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(0, option.fontMetrics.lineSpacing() + self.theme.px(4))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        name: Name = index.data(_NAME)
        theme, box = self.theme, option.rect.adjusted(self.theme.px(8), 0, -self.theme.px(8), 0)
        marked = index.row() == option.widget.currentRow() if isinstance(option.widget, QListWidget) else False
        painter.save()
        if marked:
            painter.fillRect(option.rect, QColor(theme.selection))
        painter.setFont(theme.font(0.85))
        painter.setPen(QColor(theme.selection_text if marked else theme.dim))
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, flags | Qt.AlignmentFlag.AlignRight, self._kinds[name.kind])
        painter.setPen(QColor(theme.selection_text if marked else theme.text))
        start = max(0, name.text.lower().find(self.word.lower()))
        for text, bold in _parts(name.text, start, start + len(self.word)):
            font = theme.mono_font()
            font.setBold(bold)
            painter.setFont(font)
            painter.drawText(box, flags, text)
            box.setLeft(box.left() + painter.fontMetrics().horizontalAdvance(text))
        painter.restore()


def _parts(text: str, start: int, end: int) -> list[tuple[str, bool]]:
    return [(text[:start], False), (text[start:end], True), (text[end:], False)]
