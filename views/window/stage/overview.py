"""All pages of a lesson as a list, next to the lessons of the course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QVBoxLayout

from views.theme import DIM_TEXT, Theme
from views.window.main_window import MainWindow
from views.window.stage.end_page import Curtain

LESSONS_WIDE = 0.36
"""Share of the width for the lessons of the course."""


@dataclass(frozen=True)
class CourseLessons:
    """The lessons of the course; none where all lessons are listed."""

    titles: Sequence[str] = ()
    here: int = -1
    """The number of the open lesson, counted from 0."""
    pace: str = ""
    """Its place, and the time that is left."""


class Overview(Curtain):
    """Shows the pages and the lessons of the course, and reports which one is chosen.

    Signals:
        page_wanted: the number of a page, counted from 0.
        lesson_wanted: the number of a lesson of the course, counted from 0.
    """

    page_wanted = Signal(object)
    lesson_wanted = Signal(object)

    def __init__(self, stage: MainWindow) -> None:
        super().__init__(stage)
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._hint = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._hint.setForegroundRole(DIM_TEXT)
        self._list, self._lessons = QListWidget(), QListWidget()
        self._pace = QLabel(alignment=Qt.AlignmentFlag.AlignRight)
        self._list.setObjectName("pages")
        self._lessons.setObjectName("lessons")
        self._pace.setObjectName("pace")
        for each in (self._list, self._lessons):
            each.setWordWrap(True)
            each.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            each.setFrameShape(QListWidget.Shape.NoFrame)
            each.itemClicked.connect(self._want)
            each.installEventFilter(self)
        top, middle = QHBoxLayout(), QHBoxLayout()
        top.addWidget(self._title)
        top.addWidget(self._pace)
        middle.addWidget(self._lessons)
        middle.addWidget(self._list, 1)
        self._layout = QVBoxLayout(self)
        self._layout.addLayout(top)
        self._layout.addLayout(middle, 1)
        self._layout.addWidget(self._hint)

    def open(self, title: str, headings: Sequence[str], here: int, contents: CourseLessons) -> None:
        """Show the pages of the lesson `title` by their `headings`, that with number `here` selected."""
        self._title.setText(title)
        self._pace.setText(contents.pace)
        tab = self.tr("Tab changes between lessons and pages, Enter or a click opens one, Esc goes back")
        self._hint.setText(tab if contents.titles else self.tr("Enter or a click opens a page, Esc goes back"))
        self._lessons.setAccessibleName(self.tr("Lessons of the course"))
        self._lessons.setVisible(bool(contents.titles))
        self.setAccessibleName(self.tr("All pages"))
        self._list.setAccessibleName(self.tr("All pages"))
        _fill(self._lessons, contents.titles, contents.here)
        _fill(self._list, headings, here)
        self.draw()
        self._list.setFocus()

    def step(self, by: int) -> None:
        """Select another page, `by` further on; or another lesson, where the lessons have the keyboard."""
        rows = self._lessons if self._lessons.hasFocus() else self._list
        rows.setCurrentRow(max(0, min(rows.count() - 1, rows.currentRow() + by)))

    @property
    def titles(self) -> list[str]:
        """Return the pages as they are listed."""
        return [self._list.item(row).text() for row in range(self._list.count())]

    @property
    def selected(self) -> int:
        """The number of the selected page, counted from 0."""
        return self._list.currentRow()

    def apply_theme(self, theme: Theme) -> None:
        super().apply_theme(theme)
        edge = theme.px(12)
        self._layout.setContentsMargins(edge, edge, edge, edge)
        self._title.setFont(theme.font(1.15, bold=True))
        self._lessons.setFixedWidth(int(LESSONS_WIDE * self._stage.width()))
        self._mark_focus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and watched in (self._list, self._lessons):
            return event.type() == QEvent.Type.KeyPress and self._press(event.key())
        return super().eventFilter(watched, event)

    def _mark_focus(self) -> None:
        """Frame what is selected, in the colour of the focus in the list that has the keyboard."""
        theme = self._stage.theme
        for each in (self._list, self._lessons):
            has_keyboard = self._lessons.hasFocus() == (each is self._lessons)
            each.setStyleSheet(f"""
                QListWidget {{ background: {theme.background}; }}
                QListWidget::item {{ color: {theme.text}; border: {theme.px(2)}px solid transparent; }}
                QListWidget::item:selected {{ color: {theme.text}; background: {theme.panel};
                    border: {theme.px(2)}px solid {theme.focus if has_keyboard else theme.edge}; }}
            """)

    def _press(self, key: int) -> bool:
        """Open what is selected by Enter; Tab moves the keyboard to the other list. Return whether `key` did so."""
        rows, other = self._list, self._lessons
        if other.hasFocus():
            rows, other = other, rows
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._want(rows.currentItem())
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            # Without a course there is one list, and the keyboard stays: what the overview covers must not get it.
            if not other.isHidden():
                other.setFocus(Qt.FocusReason.TabFocusReason)
                self._mark_focus()
        else:
            return False
        return True

    def _want(self, item: QListWidgetItem) -> None:
        if item.listWidget() is self._lessons:
            self.lesson_wanted.emit(self._lessons.currentRow())
        else:
            self.page_wanted.emit(self._list.currentRow())


def _fill(rows: QListWidget, titles: Sequence[str], here: int) -> None:
    rows.clear()
    rows.addItems([f"{number}  {title}" for number, title in enumerate(titles, 1)])
    rows.setCurrentRow(here)
