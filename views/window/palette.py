"""Palette, the command palette: entries found by typing a part of their names; found() ranks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from views.theme import DIM_TEXT, Theme

SHOWN = 12
"""Rows that are seen at once."""
MOST_FOUND = 200
WIDTH = 620
"""Pixels at text size 1."""
TOP = 0.1
"""The distance to the upper edge, as a share of the window's height."""
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -SHOWN, Qt.Key.Key_PageDown: SHOWN}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ENTRY = Qt.ItemDataRole.UserRole


class PaletteEntry(msgspec.Struct, frozen=True):
    """One thing to choose.

    Attributes:
        text: its name.
        kind: the kind of thing in a word or two, shown dim.
        choose: what choosing it does.
        keys: its keys; empty for none.
        also: further words by which it is found, such as its name in another language.
    """

    text: str
    kind: str
    choose: Callable[[], object]
    keys: str = ""
    also: str = ""


def found(entries: Sequence[PaletteEntry], words: str) -> list[PaletteEntry]:
    """Return the `entries` that have all of `words`, those first whose own text is, begins with or contains them."""
    wanted = words.casefold().split()
    phrase = " ".join(wanted)

    def rank(entry: PaletteEntry) -> int | None:
        text = entry.text.casefold()
        if not all(word in f"{text} {entry.kind} {entry.also}".casefold() for word in wanted):
            return None
        if text.startswith(phrase):
            return -1 if text == phrase else 0
        if f" {phrase}" in text:
            return 1
        return 2 if phrase in text else 3

    ranked = [(place, entry) for entry in entries if (place := rank(entry)) is not None]
    return [entry for _, entry in sorted(ranked, key=lambda each: each[0])]


class Palette(QFrame):
    """Lies over `window` until an entry is chosen, Escape is pressed or another part gets the keyboard."""

    def __init__(self, window: QWidget, theme: Theme, entries: Sequence[PaletteEntry]) -> None:
        super().__init__(window)
        self._window, self._theme, self._entries = window, theme, entries
        self._before = QApplication.focusWidget()
        self._words = QLineEdit()
        self._words.setPlaceholderText(self.tr("Type a part of a command, lesson, variant, finding or file"))
        self._words.setAccessibleName(self.tr("Command palette"))
        self._words.textChanged.connect(self._find)
        self._words.installEventFilter(self)
        self._nothing = QLabel(self.tr("Nothing has these words in its name."))
        self._nothing.setForegroundRole(DIM_TEXT)
        self._rows = QListWidget()
        self._rows.setFrameShape(QFrame.Shape.NoFrame)
        self._rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows.setUniformItemSizes(True)
        self._rows.setAccessibleName(self.tr("Found"))
        self._rows.setItemDelegate(_RowDelegate(self, theme))
        self._rows.itemClicked.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.addWidget(self._words)
        layout.addWidget(self._rows)
        layout.addWidget(self._nothing)
        edge = theme.px(8)
        layout.setContentsMargins(edge, edge, edge, edge)
        layout.setSpacing(edge)
        self.setObjectName("palette")
        self.setStyleSheet(
            f"#palette {{ background: {theme.panel}; border: {theme.px(1)}px solid {theme.edge};"
            f" border-radius: {theme.px(8)}px; }} QListWidget {{ background: {theme.panel}; }}"
        )
        window.installEventFilter(self)
        self._find("")

    def open(self) -> None:
        """Show it with the keyboard in it."""
        self.show()
        self.raise_()
        self._words.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def texts(self) -> list[str]:
        """The texts of the found entries."""
        return [self._rows.item(row).text() for row in range(self._rows.count())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self._lie()
        elif isinstance(event, QFocusEvent):
            if event.lostFocus() and event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
                self._close()
        elif isinstance(event, QKeyEvent) and event.key() in (*STEPS, *ENTER, Qt.Key.Key_Escape):
            if event.type() == QEvent.Type.ShortcutOverride:
                # Elsewhere these keys turn pages and end a presentation.
                event.accept()
                return True
            return event.type() == QEvent.Type.KeyPress and self._press(event.key())
        return False

    def _press(self, key: int) -> bool:
        if key in STEPS:
            row = self._rows.currentRow() + STEPS[Qt.Key(key)]
            self._rows.setCurrentRow(max(0, min(self._rows.count() - 1, row)))
        elif key == Qt.Key.Key_Escape:
            self._close()
        elif (item := self._rows.currentItem()) is not None:
            self._choose(item)
        return True

    def _choose(self, item: QListWidgetItem) -> None:
        entry = item.data(ENTRY)
        self._close()
        entry.choose()

    def _close(self) -> None:
        if self.isHidden():
            return
        had_keyboard = self._words.hasFocus()
        self.hide()
        if had_keyboard and self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.deleteLater()

    def _find(self, words: str) -> None:
        self._rows.clear()
        for entry in found(self._entries, words)[:MOST_FOUND]:
            item = QListWidgetItem(entry.text)
            item.setData(ENTRY, entry)
            spoken = (entry.text, entry.kind, entry.keys)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, spoken)))
            self._rows.addItem(item)
        self._rows.setCurrentRow(0)
        self._nothing.setVisible(not self._rows.count())
        self._lie()

    def _lie(self) -> None:
        """Lie at the top of the window, as high as there are rows."""
        room, theme = self._window.size(), self._theme
        row = self._rows.sizeHintForRow(0) if self._rows.count() else 0
        self._rows.setFixedHeight(min(SHOWN, self._rows.count()) * row)
        self.setFixedWidth(min(theme.px(WIDTH), room.width() - theme.px(32)))
        self.adjustSize()
        self.move((room.width() - self.width()) // 2, int(TOP * room.height()))


class _RowDelegate(QStyledItemDelegate):
    """Draws the text of an entry, its kind behind it, and its keys at the right."""

    def __init__(self, parent: QObject, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, option.fontMetrics.height() + self._theme.px(10))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry, theme, gap = index.data(ENTRY), self._theme, self._theme.px(8)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_selected:
            painter.fillRect(option.rect, theme.selection)
        painter.setFont(option.font)
        inner = option.rect.adjusted(gap, 0, -gap, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.selection_text if is_selected else theme.dim)
        right = "   ".join(filter(None, (entry.kind, entry.keys)))
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, right)
        painter.setPen(theme.selection_text if is_selected else theme.text)
        room = QRect(inner)
        room.setRight(inner.right() - option.fontMetrics.horizontalAdvance(right) - 2 * gap)
        text = option.fontMetrics.elidedText(entry.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()
