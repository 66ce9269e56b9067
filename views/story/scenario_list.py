"""The list of scenarios, searchable, by chapter or of one course, with signs for edited, done and broken ones."""

from __future__ import annotations

from itertools import chain
from math import ceil

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.messages import unmarked
from explorer.scenario import packages
from explorer.scenario.scenario import CHAPTERS, Course, Scenario
from views.parts.controls import fill, name
from views.parts.own_document import plain_tip
from views.theme import DIM_TEXT, Theme, Themed, dressed, spaced

FURTHEST = 4
"""The rank of a scenario that lacks a word."""


def place_of(scenario: Scenario, words: str) -> int:
    """Return the rank of `scenario` for `words`, 0 for the best; FURTHEST where it lacks a word.

    Words are searched in titles, story, questions and code. First comes an equal title, then a title that contains the
    phrase, then a title with every word; punctuation in titles does not matter.
    """
    wanted, whole = words.casefold().split(), _letters(words)
    titles = [title.casefold() for title in scenario.title]
    if whole and any(whole == _letters(title) for title in titles):
        return 0
    if whole and any(whole in _letters(title) for title in titles):
        return 1
    if any(all(word in title for word in wanted) for title in titles):
        return 2
    text = _searchable(scenario)
    return 3 if all(word in text for word in wanted) else FURTHEST


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _searchable(scenario: Scenario) -> str:
    stories = (f"{step.title}\n{step.text}\n{step.reveal}" for steps in scenario.stories.values() for step in steps)
    asked = [plan.question.text for plan in scenario.steps if plan.question is not None]
    asked += [text for exercise in scenario.exercises for text in (exercise.text, exercise.outcome) if text is not None]
    asked += [plan.title for plan in scenario.variants]
    return "\n".join((scenario.id, *chain(scenario.title, *asked), *stories, scenario.source)).casefold()


ID_ROLE = Qt.ItemDataRole.UserRole
TITLE, BADGE = 0, 1
ROW_HEIGHT = 26
"""Pixels."""
MARGIN = 3
"""Pixels around a title."""


class ScenarioList(Themed, QWidget):
    """Lists lessons.

    Signals:
        scenario_chosen: the id of the lesson to open.
        course_wanted: the id of a lesson to add to a course.
        course_chosen: the lessons of another course are listed, or all.
    """

    scenario_chosen = Signal(str)
    course_wanted = Signal(str)
    course_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenarios: tuple[Scenario, ...] = ()
        self._courses: dict[str, Course] = {}
        self._course = QComboBox()
        self._course.hide()
        self._course.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._edited: frozenset[str] = frozenset()
        self._done: frozenset[str] = frozenset()
        self._language = "en"
        self._current = ""
        self._items: dict[str, LessonRow] = {}
        self._groups: dict[str, LessonRow] = {}
        self._search = QLineEdit()
        self._search.setClearButtonEnabled(True)
        self._search.installEventFilter(self)
        self._nothing = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._nothing.setForegroundRole(DIM_TEXT)
        self._nothing.hide()
        self._tree = dressed(_tree(), lambda tree, theme: tree.setIndentation(theme.px(12)))
        self._lay_out()
        self._name_parts()
        self._course.currentIndexChanged.connect(self._on_course_chosen)
        self._search.textChanged.connect(self._filter)
        self._search.returnPressed.connect(self._choose_first)
        self.setFocusProxy(self._search)
        self._tree.itemClicked.connect(self._choose)
        self._tree.itemActivated.connect(self._choose)
        self._tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._tree.addAction(self.tr("Add to a course…")).triggered.connect(self._want_in_course)
        self.apply_theme(self.theme)

    def show_scenarios(
        self, scenarios: tuple[Scenario, ...], edited: frozenset[str], done: frozenset[str], language: str
    ) -> None:
        """List `scenarios` under their chapters, titles in `language`; mark those with an id in `edited` or `done`."""
        rebuilt = scenarios != self._scenarios or language != self._language
        self._scenarios, self._language = scenarios, language
        self._edited, self._done = edited, done
        if rebuilt:
            self._build()
        self._mark_all()

    def show_courses(self, courses: tuple[Course, ...], language: str) -> None:
        """Let the user choose one of `courses`, titles in `language`; the current choice is kept."""
        chosen = self._course.currentData()
        self._courses = {each.id: each for each in courses}
        with QSignalBlocker(self._course):
            self._course.clear()
            self._course.addItem(self.tr("All lessons"), "")
            for each in courses:
                self._course.addItem(each.title.text(language), each.id)
                self._course.setItemData(self._course.count() - 1, plain_tip(each.problem), Qt.ItemDataRole.ToolTipRole)
            self._course.setCurrentIndex(max(0, self._course.findData(chosen)))
        self._course.setVisible(bool(courses))

    @property
    def course(self) -> Course | None:
        """The course whose lessons are listed; None for all lessons."""
        return self._courses.get(self._course.currentData() or "")

    def choose_course(self, course_id: str) -> None:
        """List the lessons of the course with this id, in its order; all lessons where there is none."""
        self._course.setCurrentIndex(max(0, self._course.findData(course_id)))

    def _on_course_chosen(self) -> None:
        self._build()
        self._mark_all()
        self.course_chosen.emit()

    def _want_in_course(self) -> None:
        item = self._tree.currentItem()
        if item is not None and (scenario_id := item.data(TITLE, ID_ROLE)) is not None:
            self.course_wanted.emit(scenario_id)

    @property
    def _listed(self) -> tuple[Scenario, ...]:
        """Return the scenarios in the list without a search: the lessons of a course, or all."""
        return self.course.lessons if self.course is not None else self._scenarios

    @property
    def _searched(self) -> tuple[Scenario, ...]:
        """Return all scenarios, those of the course first."""
        of_course = self._ids_listed()
        return (*self._listed, *(each for each in self._scenarios if each.id not in of_course))

    def _ids_listed(self) -> set[str]:
        return {each.id for each in self._listed}

    def _mark_all(self, only: frozenset[str] = frozenset()) -> None:
        # The tree would repeat its layout at each mark.
        with QSignalBlocker(self._tree.model()):
            for scenario in self._searched:
                if not only or scenario.id in only:
                    self._mark(self._items[scenario.id], scenario)
        self._tree.scheduleDelayedItemsLayout()

    def take_keyboard(self) -> None:
        """Give the keyboard to the search, where what is typed replaces the earlier words."""
        self._search.setFocus()
        self._search.selectAll()

    def show_done(self, done: frozenset[str]) -> None:
        """Mark the scenarios with an id in `done`, and no others, as done."""
        changed, self._done = done ^ self._done, done
        # Each new page asks for it, and it lays out all rows.
        if changed:
            self._mark_all(changed)

    def neighbour(self, step: int, *, searched: bool = True) -> str:
        """Return the id `step` entries after the current one; empty beyond the ends of the list.

        With `searched`, entries that the search hides do not count.
        """
        rows = [row for group in sorted(self._groups.values()) for row in self._rows_of(group)]
        listed = self._ids_listed()
        items = [row for row in rows if row.data(TITLE, ID_ROLE) in listed or (searched and not row.isHidden())]
        hidden = [row for row in items if searched and row.isHidden() and row is not self._current_item()]
        ids = [row.data(TITLE, ID_ROLE) for row in items if row not in hidden]
        place = ids.index(self._current) + step if self._current in ids else 0
        return ids[place] if 0 <= place < len(ids) else ""

    def show_current(self, scenario_id: str) -> None:
        """Select the open scenario; none where the list does not have it."""
        self._current = scenario_id
        item = self._items.get(scenario_id)
        if item is None:
            self._tree.setCurrentIndex(QModelIndex())
        else:
            self._tree.setCurrentItem(item)
            self._tree.scrollToItem(item)

    def apply_theme(self, _theme: Theme) -> None:
        with QSignalBlocker(self._tree.model()):
            for group in self._groups.values():
                self._dress_group(group)
            for scenario in self._searched:
                self._dress(self._items[scenario.id], scenario)
        self._tree.scheduleDelayedItemsLayout()
        if self.isVisible():
            self._scroll_to_current()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._scroll_to_current()

    def _scroll_to_current(self) -> None:
        # This lays out all rows, which a hidden list does not need.
        if (current := self._current_item()) is not None:
            self._tree.scrollToItem(current)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the down key lead from the search field into the list."""
        if watched is not self._search or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape and self._search.text():
            # Otherwise the window's own use of Esc would win.
            event.accept()
        elif event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                if self._search.text() and (first := self._first()) is not None:
                    self._tree.setCurrentItem(first)
                self._tree.setFocus(Qt.FocusReason.TabFocusReason)
                return True
            if event.key() == Qt.Key.Key_Escape and self._search.text():
                self._search.clear()
                return True
        return super().eventFilter(watched, event)

    def _rows_of(self, group: LessonRow) -> list[LessonRow]:
        """Return the rows under `group`, from top to bottom."""
        rows = [group.child(place) for place in range(group.childCount())]
        return [row for row in rows if isinstance(row, LessonRow)]

    def _current_item(self) -> LessonRow | None:
        return self._items.get(self._current)

    def _build(self) -> None:
        folded = {name for name, group in self._groups.items() if not group.isExpanded()}
        self._tree.clear()
        self._items, self._groups = {}, {}
        for scenario in self._searched:
            name = self._group(scenario)
            if name not in self._groups:
                self._groups[name] = self._made_group(name)
            self._items[scenario.id] = self._add_scenario(self._groups[name], scenario)
        # All at once: the tree lays all of it out again for what it gets later.
        self._tree.addTopLevelItems(list(self._groups.values()))
        for name, group in self._groups.items():
            group.setFirstColumnSpanned(True)
            group.setExpanded(name not in folded)
        self._filter(self._search.text())
        self.show_current(self._current)

    def _group(self, scenario: Scenario) -> str:
        if self.course and scenario in self.course.lessons:
            return self._course.currentText()
        if scenario.origin in ("mine", "new"):
            return self.tr("My lessons")
        if scenario.origin == "file":
            return self.tr("Opened files")
        if scenario.chapter in CHAPTERS:
            return CHAPTERS[scenario.chapter].in_language(self._language)
        return self.tr("From packages") if scenario.origin == "package" else self.tr("More")

    def _made_group(self, name: str) -> LessonRow:
        group = LessonRow([name])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self._dress_group(group)
        return group

    def _dress_group(self, group: LessonRow) -> None:
        group.setFont(TITLE, self.theme.font(bold=True))
        group.setForeground(TITLE, QColor(self.theme.dim))
        group.setSizeHint(TITLE, QSize(0, self.theme.px(ROW_HEIGHT)))

    def _dress(self, item: LessonRow, scenario: Scenario) -> None:
        item.setForeground(BADGE, QColor(self.theme.bug if scenario.problem else self.theme.dim))

    def _add_scenario(self, group: LessonRow, scenario: Scenario) -> LessonRow:
        item = LessonRow(group, [scenario.title.text(self._language)])
        item.setData(TITLE, ID_ROLE, scenario.id)
        return item

    def _mark(self, item: LessonRow, scenario: Scenario) -> None:
        edited, done = scenario.id in self._edited, scenario.id in self._done
        problem = [self.tr("problem")] * bool(scenario.problem)
        lacks = packages.missing(scenario)
        needs = [self.tr("needs {packages}").format(packages=", ".join(lacks))] * bool(lacks)
        # Signs leave all titles their room; on hover and to a screen reader they are words.
        item.setText(BADGE, " ".join(["●"] * edited + problem + ["✓"] * done))
        words = [self.tr("edited")] * edited + problem + needs + [self.tr("done")] * done
        title = scenario.title.text(self._language)
        item.setText(TITLE, " · ".join((title, *needs)))
        hover = plain_tip("\n".join(filter(None, (title, scenario.id, ", ".join(words), unmarked(scenario.problem)))))
        item.setToolTip(TITLE, hover)
        item.setToolTip(BADGE, hover)
        item.setTextAlignment(BADGE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setFirstColumnSpanned(not item.text(BADGE))
        self._dress(item, scenario)
        item.setData(TITLE, Qt.ItemDataRole.AccessibleTextRole, ", ".join([title, *words]))

    def _filter(self, words: str) -> None:
        """Hide rows without every word; rows with them in the title come first, with their chapters.

        A search is over all lessons, whatever the course.
        """
        wanted, listed, searched = bool(words.strip()), self._ids_listed(), self._searched
        places = {each.id: 0 if each.id in listed else FURTHEST for each in searched}
        if wanted:
            places = {each.id: place_of(each, words) for each in searched}
        for number, scenario in enumerate(searched):
            item = self._items[scenario.id]
            item.setHidden(places[scenario.id] == FURTHEST)
            item.order = (places[scenario.id], number)
        for number, group in enumerate(self._groups.values()):
            nearest = min(self._rows_of(group), key=lambda row: row.order)
            group.order = (nearest.order[0], number)
            group.setHidden(nearest.isHidden())
            group.setExpanded(group.isExpanded() or wanted)
        self._tree.sortItems(TITLE, Qt.SortOrder.AscendingOrder)
        current = self._current_item()
        if wanted or current is None:
            self._tree.scrollToTop()
        else:
            self._tree.scrollToItem(current)
        found = min(places.values(), default=FURTHEST) < FURTHEST
        self._nothing.setText(self.tr("No lesson contains “{words}”.").format(words=words.strip()))
        self._nothing.setVisible(wanted and not found)

    def _choose(self, item: QTreeWidgetItem) -> None:
        scenario_id = item.data(TITLE, ID_ROLE)
        if scenario_id is None:
            item.setExpanded(not item.isExpanded())
        elif scenario_id != self._current or (scenario_id, "mine") in (
            (each.id, each.origin) for each in self._searched
        ):
            # One's own is read again: its story is written in another window.
            self.scenario_chosen.emit(scenario_id)

    def _choose_first(self) -> None:
        if (first := self._first()) is not None:
            self._choose(first)

    def _first(self) -> LessonRow | None:
        """Return the best match of the search."""
        in_sight = [item for item in self._items.values() if not item.isHidden()]
        return min(in_sight, key=lambda row: row.order, default=None)

    def _lay_out(self) -> None:
        top = spaced(fill(QVBoxLayout(), self._course, self._search, self._nothing), 8, spacing=8)
        fill(QVBoxLayout(self), top, self._tree)

    def _name_parts(self) -> None:
        self.setAccessibleName(self.tr("Lessons"))
        self._tree.setAccessibleName(self.tr("List of lessons"))
        name(self._search, self.tr("Search lessons"))
        name(self._course, self.tr("Course"))
        self._search.setPlaceholderText(self.tr("Search lessons"))


class LessonRow(QTreeWidgetItem):
    """A title or a chapter, sorted by its rank in the search."""

    order = (0, 0)

    def __lt__(self, other: QTreeWidgetItem) -> bool:
        return isinstance(other, LessonRow) and self.order < other.order


class TitleDelegate(QStyledItemDelegate):
    """Wraps a title to the width of its column."""

    def __init__(self, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hint, metrics = super().sizeHint(option, index), option.fontMetrics
        if not index.parent().isValid() or index.column() != TITLE:
            return hint
        whole = self._tree.isFirstColumnSpanned(index.row(), index.parent())
        width = self._tree.header().length() if whole else self._tree.columnWidth(TITLE)
        room = QRect(0, 0, width - 2 * self._tree.indentation() - 2 * MARGIN, 10_000)
        wrapped = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, index.data())
        lines = max(1, round(wrapped.height() / metrics.lineSpacing()))
        # Letters of another font, as those of Hangul may be, make lines higher than the first font says.
        high = wrapped.height() / lines if lines > 1 else metrics.lineSpacing()
        hint.setHeight(ceil(lines * high) + 2 * MARGIN)
        return hint


def _tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setItemDelegate(TitleDelegate(tree))
    tree.setColumnCount(2)
    tree.setHeaderHidden(True)
    tree.setWordWrap(True)
    # By whole rows, the last line of a wrapped title can stay out of sight at the lower edge.
    tree.setVerticalScrollMode(QTreeWidget.ScrollMode.ScrollPerPixel)
    tree.setTextElideMode(Qt.TextElideMode.ElideRight)
    tree.setExpandsOnDoubleClick(False)
    tree.header().setStretchLastSection(False)
    tree.header().setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
    tree.header().setSectionResizeMode(BADGE, QHeaderView.ResizeMode.ResizeToContents)
    # Rows are as high as their title takes in the present width, which Qt does not see to by itself.
    tree.header().sectionResized.connect(tree.scheduleDelayedItemsLayout)
    return tree
