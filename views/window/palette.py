"""Palette, the command palette: entries found by typing a part of their names; found() ranks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
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
        self._rows = QTreeWidget(columnCount=3)
        self._rows.setHeaderHidden(True)
        self._rows.setRootIsDecorated(False)
        self._rows.setUniformRowHeights(True)
        self._rows.setFrameShape(QFrame.Shape.NoFrame)
        self._rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows.header().setStretchLastSection(False)
        self._rows.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._rows.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._rows.setAccessibleName(self.tr("Found"))
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
            f" border-radius: {theme.px(8)}px; }} QTreeWidget {{ background: {theme.panel}; }}"
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
        return [each.text(0) for each in self._rows.findItems("", Qt.MatchFlag.MatchContains)]

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
            self._go_to(self._rows.currentIndex().row() + STEPS[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape:
            self._close()
        elif (item := self._rows.currentItem()) is not None:
            self._choose(item)
        return True

    def _choose(self, item: QTreeWidgetItem) -> None:
        entry = item.data(0, ENTRY)
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
            item = QTreeWidgetItem(self._rows, [entry.text, entry.kind, entry.keys])
            item.setData(0, ENTRY, entry)
            item.setSizeHint(0, QSize(0, self.fontMetrics().height() + self._theme.px(10)))
            for column in (1, 2):
                item.setForeground(column, QColor(self._theme.dim))
        self._go_to(0)
        self._nothing.setVisible(not self.texts)
        self._lie()

    def _go_to(self, row: int) -> None:
        last = self._rows.topLevelItemCount() - 1
        self._rows.setCurrentIndex(self._rows.model().index(max(0, min(last, row)), 0))

    def _lie(self) -> None:
        """Lie at the top of the window, as high as there are rows."""
        room, theme = self._window.size(), self._theme
        count = self._rows.topLevelItemCount()
        self._rows.setFixedHeight(min(SHOWN, count) * self._rows.sizeHintForRow(0) if count else 0)
        self.setFixedWidth(min(theme.px(WIDTH), room.width() - theme.px(32)))
        self.adjustSize()
        self.move((room.width() - self.width()) // 2, int(TOP * room.height()))
