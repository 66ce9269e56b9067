"""Pages outside of the lesson: the overview of its pages and course, and the page after its last one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from views.theme import BUG_TEXT, DIM_TEXT, Theme, apply_to_tree, grounded, lettered, spaced
from views.window.main_window import MainWindow


class Curtain(QWidget):
    """Covers the window `stage` as long as it is shown."""

    def __init__(self, stage: MainWindow) -> None:
        super().__init__(stage)
        self._stage = stage
        grounded(self, lambda theme: theme.background)
        self.hide()
        stage.installEventFilter(self)

    def draw(self) -> None:
        """Cover the stage."""
        apply_to_tree(self, self._stage.theme)
        self.setGeometry(self._stage.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._stage and not self.isHidden():
            self.setGeometry(self._stage.rect())
        return False


TITLE_SIZE = 1.6
"""The size of the next lesson's title, relative to words."""


class EndPage(Curtain):
    """Says that a lesson is over, and which is the next."""

    def __init__(self, stage: MainWindow) -> None:
        super().__init__(stage)
        self._lines = [QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText) for _ in range(6)]
        place, _, trouble, _, title, back = self._lines
        lettered(title, TITLE_SIZE, bold=True)
        for line, role in ((place, DIM_TEXT), (trouble, BUG_TEXT), (back, DIM_TEXT)):
            line.setForegroundRole(role)
        layout = spaced(QVBoxLayout(self), 48, spacing=16)
        layout.addStretch(2)
        for line in self._lines:
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(line)
        layout.addStretch(3)

    def tell(self, ended: str, following: str, place: str, trouble: str, course: str) -> None:
        """Show that the lesson `ended` is over and `following` comes next, none where that is empty.

        `place` is that of `ended` in its `course`. Where a lesson between them could not be opened, `trouble` says why.
        """
        self.setAccessibleName(self.tr("End of the lesson"))
        ended, back = self.tr("The lesson ends here: {}").format(ended), self.tr("Page Up goes back.")
        last = self.tr("This is the last lesson in the list.")
        if course:
            last = self.tr("The course “{}” ends here.").format(course)
        on = self.tr("Press Page Down again for the next lesson:") if following else last
        for line, text in zip(self._lines, (place, ended, trouble, on, following, back), strict=True):
            line.setText(text)
            line.setVisible(bool(text))
        self.setAccessibleDescription(" ".join(self.words))

    @property
    def words(self) -> tuple[str, ...]:
        """Return the page's text, line by line."""
        return tuple(line.text() for line in self._lines if line.text())


LESSONS_WIDE = 0.36
"""Share of the width for the lessons of the course."""


class CourseLessons(msgspec.Struct, frozen=True):
    """The lessons of the course; none where all lessons are listed."""

    titles: Sequence[str] = ()
    here: int = -1
    """The number of the open lesson, counted from 0."""
    pace: str = ""
    """Its place, and the time that is left."""


class Overview(Curtain):
    """Shows the lessons of the course and the pages of the selected one, and reports which page is chosen.

    Signals:
        page_wanted: the number of a listed page, counted from 0.
        lesson_selected: the number of the lesson of the course whose pages are to be listed, counted from 0.
    """

    page_wanted = Signal(object)
    lesson_selected = Signal(object)

    def __init__(self, stage: MainWindow) -> None:
        super().__init__(stage)
        self._title = lettered(QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True), 1.15, bold=True)
        self._hint = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._hint.setForegroundRole(DIM_TEXT)
        self._list, self._lessons = QListWidget(), QListWidget()
        self._pace = QLabel(wordWrap=True)
        self._list.setObjectName("pages")
        self._lessons.setObjectName("lessons")
        self._pace.setObjectName("pace")
        for each in (self._list, self._lessons):
            each.setWordWrap(True)
            each.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            each.setFrameShape(QListWidget.Shape.NoFrame)
            each.itemClicked.connect(self._want)
            each.installEventFilter(self)
        self._lessons.currentRowChanged.connect(self.lesson_selected.emit)
        # Each list below what it belongs to: the open lesson's place in the course, and the title of the selected one.
        of_course, of_lesson, both = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        for column, above, rows in ((of_course, self._pace, self._lessons), (of_lesson, self._title, self._list)):
            column.addWidget(above)
            column.addWidget(rows, 1)
        both.addLayout(of_course)
        both.addLayout(of_lesson, 1)
        layout = spaced(QVBoxLayout(self), 12)
        layout.addLayout(both, 1)
        layout.addWidget(self._hint)

    def open(self, contents: CourseLessons) -> None:
        """Show the lessons next to the listed pages."""
        self._pace.setText(contents.pace)
        self._pace.setVisible(bool(contents.pace))
        tab = self.tr("Tab changes between lessons and pages, Enter or a click opens one, Esc goes back")
        self._hint.setText(
            tab
            if contents.titles
            else self.tr("Enter or a click opens a page, Esc goes back, Ctrl+L finds another lesson")
        )
        self._lessons.setAccessibleName(self.tr("Lessons of the course"))
        self._lessons.setVisible(bool(contents.titles))
        self.setAccessibleName(self.tr("All pages"))
        self._list.setAccessibleName(self.tr("All pages"))
        with QSignalBlocker(self._lessons):
            _fill(self._lessons, contents.titles, contents.here)
        self.draw()
        self._list.setFocus()

    def list_pages(self, title: str, headings: Sequence[str], here: int) -> None:
        """List the pages of the lesson `title` by their `headings`, that with number `here` selected."""
        self._title.setText(title)
        _fill(self._list, headings, here)

    def step(self, by: int) -> None:
        """Select another page, `by` further on; or another lesson, where the lessons have the keyboard."""
        rows = self._lessons if self._lessons.hasFocus() else self._list
        rows.setCurrentRow(max(0, min(rows.count() - 1, rows.currentRow() + by)))

    def apply_theme(self, _theme: Theme) -> None:
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
            self._want()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            # Without a course there is one list, and the keyboard stays: what the overview covers must not get it.
            if not other.isHidden():
                other.setFocus(Qt.FocusReason.TabFocusReason)
                self._mark_focus()
        else:
            return False
        return True

    def _want(self) -> None:
        self.page_wanted.emit(self._list.currentRow())


def _fill(rows: QListWidget, titles: Sequence[str], here: int) -> None:
    rows.clear()
    rows.addItems([f"{number}  {title}" for number, title in enumerate(titles, 1)])
    rows.setCurrentRow(here)
