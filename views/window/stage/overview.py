"""All pages of a lesson as thumbnails, visited ones as pictures, the others by their text; next to them the course."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListView, QListWidget, QListWidgetItem, QVBoxLayout

from explorer.scenario.page import Page
from views.parts.markdown import fill_document
from views.parts.outside.own_document import OwnDocument
from views.theme import DIM_TEXT, Theme, chosen
from views.window.main_window import MainWindow
from views.window.stage.curtain import Curtain

MOST_WIDE = 0.42
"""The largest share of the width for a thumbnail."""
DRAWN_WIDE = 560
"""Pixels of width of a page's text before it is scaled down."""
MOST_LINES = 4
"""Of the title below a thumbnail."""
MOST_ROWS = 3
"""Rows of thumbnails on one screen; more pages than fit there are scrolled to."""


LESSONS_WIDE = 0.28
"""Share of the width for the lessons of the course."""


@dataclass(frozen=True)
class Contents:
    """The lessons of the course; none where all lessons are listed."""

    titles: Sequence[str] = ()
    here: int = -1
    """The number of the open lesson, counted from 0."""
    pace: str = ""
    """Its place, and the time that is left."""


NO_COURSE = Contents()


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
        self._pages: Sequence[Page] = ()
        self._pictures: Mapping[int, QPixmap] = {}
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._hint = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._hint.setForegroundRole(DIM_TEXT)
        self._list = QListWidget()
        self._list.setViewMode(QListView.ViewMode.IconMode)
        self._list.setMovement(QListView.Movement.Static)
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setWordWrap(True)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._lessons = QListWidget()
        self._lessons.setWordWrap(True)
        self._lessons.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._pace = QLabel(alignment=Qt.AlignmentFlag.AlignRight)
        self._list.setObjectName("pages")
        self._lessons.setObjectName("lessons")
        self._pace.setObjectName("pace")
        for each in (self._list, self._lessons):
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

    def open(
        self, pages: Sequence[Page], here: int, pictures: Mapping[int, QPixmap], contents: Contents = NO_COURSE
    ) -> None:
        """Show `pages`, that with number `here` selected; those that were seen have `pictures`."""
        self._pages, self._pictures = pages, pictures
        self._title.setText(pages[0].title if pages else "")
        self._pace.setText(contents.pace)
        tab = self.tr("Tab changes between lessons and pages, Enter or a click opens one, Esc goes back")
        self._hint.setText(tab if contents.titles else self.tr("Enter or a click opens a page, Esc goes back"))
        self._lessons.setAccessibleName(self.tr("Lessons of the course"))
        self._lessons.clear()
        self._lessons.addItems([f"{number}  {title}" for number, title in enumerate(contents.titles, 1)])
        self._lessons.setCurrentRow(contents.here)
        self._lessons.setVisible(bool(contents.titles))
        self.setAccessibleName(self.tr("All pages"))
        self._list.setAccessibleName(self.tr("All pages"))
        self._list.clear()
        for number, page in enumerate(pages, 1):
            self._list.addItem(QListWidgetItem(f"{number}  {page.heading}"))
        self._list.setCurrentRow(here)
        self.draw()
        self._list.setFocus()

    def step(self, by: int) -> None:
        """Select another page, `by` further on; or another lesson, where the lessons have the keyboard."""
        rows = self._lessons if self._lessons.hasFocus() else self._list
        rows.setCurrentRow(max(0, min(rows.count() - 1, rows.currentRow() + by)))

    @property
    def titles(self) -> list[str]:
        """Return the titles below the thumbnails."""
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
        self._draw_pages()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and watched in (self._list, self._lessons):
            return event.type() == QEvent.Type.KeyPress and self._press(event.key())
        if watched is self._stage and event.type() == QEvent.Type.Resize and not self.isHidden():
            super().eventFilter(watched, event)
            self._draw_pages()
        return False

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

    def _lines_of(self, title: str, width: int) -> int:
        metrics = self._list.fontMetrics()
        wrapped = metrics.boundingRect(QRect(0, 0, width, self._stage.height()), Qt.TextFlag.TextWordWrap, title)
        return math.ceil(wrapped.height() / metrics.lineSpacing())

    def _draw_pages(self) -> None:
        """Make the thumbnails as large as lets all of them be seen, three rows of them at most."""
        if not self._pages:
            return
        theme, stage = self._stage.theme, self._stage.size()
        gap, text = theme.px(10), self._title.sizeHint().height()
        lessons = 0 if self._lessons.isHidden() else self._lessons.width()
        room = QSize(stage.width() - lessons - 2 * theme.px(20) - theme.px(8), stage.height() - 3 * text - 3 * gap)
        for lines in range(1, MOST_LINES + 1):
            below = lines * text + 2 * gap
            width = min(int(MOST_WIDE * stage.width()), _width_of(len(self._pages), room, below, stage))
            if max(self._lines_of(title, width - 2 * gap) for title in self.titles) <= lines:
                break
        # A word that is cut says less than a picture for which one scrolls.
        words = (word for title in self.titles for word in title.split())
        width = max(width, 2 * gap + max(map(self._list.fontMetrics().horizontalAdvance, words), default=0))
        wide = width - 2 * gap
        size = QSize(wide, wide * stage.height() // max(1, stage.width()))
        self._list.setIconSize(size)
        self._list.setGridSize(QSize(width, size.height() + below))
        for row, page in enumerate(self._pages):
            picture = self._pictures.get(row)
            seen = picture if picture is not None else _drawn(page, stage, theme)
            whole = seen.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
            icon = QIcon(_framed(whole, theme))
            # Qt would tint what is selected.
            icon.addPixmap(whole, QIcon.Mode.Selected)
            item = self._list.item(row)
            item.setIcon(icon)
            # By itself Qt leaves a title no more lines than it would take at the width of the picture.
            item.setSizeHint(QSize(width, size.height() + below))


def _width_of(count: int, room: QSize, below: int, stage: QSize) -> int:
    """Return the greatest width of `count` thumbnails with which they fit into `room`, `below` pixels under each."""
    shape = stage.width() / max(1, stage.height())
    fitting = [
        min(room.width() // columns, int((room.height() / math.ceil(count / columns) - below) * shape))
        for columns in range(1, count + 1)
        if math.ceil(count / columns) <= MOST_ROWS
    ]
    return max(room.width() // (2 * MOST_ROWS), *fitting)


def _drawn(page: Page, stage: QSize, theme: Theme) -> QPixmap:
    """Return the words of `page` as a picture in the shape of the `stage`."""
    size = QSize(DRAWN_WIDE, DRAWN_WIDE * stage.height() // max(1, stage.width()))
    small, document = chosen(theme.name, 1.6), OwnDocument()
    asked = f"**{page.ask.text}**" if page.ask is not None else ""
    tasks = "\n".join(f"{number}. {task.text}" for number, task in enumerate(page.tasks, 1))
    document.set_folder(page.folder)
    fill_document(document, "\n\n".join(filter(None, (f"### {page.heading}", page.text, asked, tasks))), small)
    document.setTextWidth(size.width())
    picture = QPixmap(size)
    picture.fill(QColor(theme.background))
    painter = QPainter(picture)
    document.drawContents(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return picture


def _framed(picture: QPixmap, theme: Theme) -> QPixmap:
    painter = QPainter(picture)
    painter.setPen(QColor(theme.edge))
    painter.drawRect(picture.rect().adjusted(0, 0, -1, -1))
    painter.end()
    return picture
