"""The window: where every view has its place."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QTabWidget, QToolButton, QVBoxLayout, QWidget

from views.code.code_view import CodeView
from views.findings.findings_view import FindingsView
from views.findings.output_view import OutputView
from views.story.scenario_list import ScenarioList
from views.story.story_view import StoryView
from views.theme import Theme, icon
from views.tool_bar.control_bar import ControlBar
from views.tool_bar.in_force import InForce
from views.tool_bar.transform_row import TransformRow
from views.window.commands import CommandTable, build
from views.window.notice_bar import NoticeBar
from views.window.pane_area import Arrangement, PaneArea
from views.window.status_line import StatusLine
from views.window.tab_order import in_order

SIZE = (1280, 800)
TITLE_BAR = 32
"""Pixels that a window manager's title bar takes of the screen."""


@dataclass(frozen=True)
class Shape:
    """Where everything in the window is, and what of it is seen."""

    sizes: dict[str, tuple[int, ...]]
    panes: Arrangement
    shown: tuple[bool, ...]
    """Of the parts that can be put away."""
    lesson: Qt.Orientation


class MainWindow(QMainWindow):
    """Makes the views and lays them out; who feeds them is not its concern.

    Signals:
        command_given: the id of the command that was chosen from a menu, a button or by its keys.
        closing: the window is about to close.
    """

    command_given = Signal(str)
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("JAX Explorer")
        self.resize(*SIZE)
        self._make()

    def make_anew(self) -> None:
        """Make every part again, in another language; what was typed in the old ones stands in the new ones."""
        scenarios, code, commands, tab = self.scenarios, self.code, self._commands_given, self.bottom.currentIndex()
        typing = code.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        for bar in (self.controls, self.transforms, self.in_force):
            self.removeToolBar(bar)
            bar.deleteLater()
        self._make()
        for old in commands.actions():
            action = self.action(old.objectName())
            action.setChecked(old.isChecked())
            action.setEnabled(old.isEnabled())
        # Its keys are those of the new ones from now on.
        commands.setEnabled(False)
        commands.deleteLater()
        self.bottom.setCurrentIndex(tab)
        self.scenarios.take_over(scenarios)
        self.code.take_over(code)
        if typing:
            self.code.setFocus()

    def _make(self) -> None:
        self.scenarios = ScenarioList()
        self.story = StoryView()
        self.notice = NoticeBar()
        self.code = CodeView()
        self.area = PaneArea()
        self.findings = FindingsView()
        self.output = OutputView()
        self.controls = ControlBar()
        self.transforms = TransformRow()
        self.in_force = InForce(self.controls, self.transforms)
        self.status = StatusLine()
        self.commands = CommandTable().commands()
        self._commands_given = build(self, self.commands)
        self._commands_given.triggered.connect(self._give_command)
        self._lay_out()

    def set_findings_title(self, verdict: str) -> None:
        """Show `verdict`, such as "1 bug, 2 notes", on the tab of the findings."""
        title = self.tr("Findings")
        self.bottom.setTabText(0, f"{title}: {verdict}" if verdict else title)

    def apply_theme(self, theme: Theme) -> None:
        """Give `theme` to every view that is in place."""
        views = (self.scenarios, self.story, self.notice, self.code, self.area, self.findings, self.output)
        for view in (*views, self.controls, self.transforms, self.in_force, self.status):
            view.apply_theme(theme)
        self.scenarios.setMinimumWidth(theme.px(120))
        for command in self.commands:
            if command.bar:
                self.action(command.id).setIcon(icon(command.id, theme))

    def shape(self) -> Shape:
        """Return where everything is now, for `restore_shape`."""
        shown = tuple(not part.isHidden() for part in self._parts())
        return Shape(self.save_sizes(), self.area.save_arrangement(), shown, self.lesson.orientation())

    def restore_shape(self, shape: Shape) -> None:
        """Bring everything back to where it was when `shape` was returned."""
        self.lesson.setOrientation(shape.lesson)
        for part, shown in zip(self._parts(), shape.shown, strict=True):
            part.setVisible(shown)
        self.area.restore_arrangement(shape.panes)
        self.restore_sizes(shape.sizes)

    def save_sizes(self) -> dict[str, tuple[int, ...]]:
        """Return the sizes of the splitters for the next start."""
        return {splitter.objectName(): tuple(splitter.sizes()) for splitter in self._splitters()}

    def restore_sizes(self, sizes: dict[str, tuple[int, ...]]) -> None:
        """Take over sizes that `save_sizes` returned."""
        for splitter in self._splitters():
            if len(sizes.get(splitter.objectName(), ())) == splitter.count():
                splitter.setSizes(list(sizes[splitter.objectName()]))

    def restore_window(self, geometry: bytes) -> None:
        """Take over place and size as ``saveGeometry`` returned them in an earlier run; a first run fits the screen."""
        if geometry:
            self.restoreGeometry(QByteArray(geometry))
        else:
            room = self.screen().availableSize() - QSize(0, TITLE_BAR)
            self.resize(self.size().boundedTo(room))

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Let Tab go from part to part as they are read, also to what was made long after the window."""
        upper = (self.scenarios, self.story, self.code_column, *self.area.panes, self.bottom)
        order = in_order(self, (*upper, *self.controls.parts, self.transforms, self.in_force))
        here = self.focusWidget()
        if here not in order:
            return super().focusNextPrevChild(forward)
        place = order.index(here) + (1 if forward else -1)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        order[place % len(order)].setFocus(reason)
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        event.accept()

    def _lay_out(self) -> None:
        self.code_column = self._code_column()
        self.lesson = _splitter("lesson", Qt.Orientation.Vertical, [self.story, self.code_column], [310, 400], [2, 3])
        self.bottom = QTabWidget(documentMode=True)
        self.bottom.addTab(self.findings, self.tr("Findings"))
        self.bottom.addTab(self.output, self.tr("Output"))
        for part in (self.bottom, self.bottom.tabBar()):
            part.setAccessibleName(self.tr("Findings and output"))
        self.bottom.setCornerWidget(self._ask_jax())
        self.results = _splitter("results", Qt.Orientation.Vertical, [self.area, self.bottom], [600, 105], [8, 1])
        self.whole = _splitter(
            "whole", Qt.Orientation.Horizontal, [self.scenarios, self.lesson, self.results], [188, 400, 692], [1, 3, 5]
        )
        self.setCentralWidget(self.whole)
        self.addToolBar(self.controls)
        for command in sorted(self.commands, key=lambda command: command.bar):
            if command.bar:
                self.controls.add_command(self.action(command.id))
        self.addToolBarBreak()
        self.addToolBar(self.transforms)
        self.transforms.hide()
        self.addToolBarBreak()
        self.addToolBar(self.in_force)
        self.in_force.hide()
        self.setStatusBar(self.status)

    def _code_column(self) -> QWidget:
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self.code, 1)
        return column

    def _ask_jax(self) -> QToolButton:
        """Return the question beside the tabs; its action is in the menu too."""
        button = QToolButton(autoRaise=True)
        action = self.action("jax_checker")
        action.setIconText(self.tr("What does JAX's own checker say?"))
        button.setDefaultAction(action)
        button.setAccessibleName(action.iconText())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _splitters(self) -> tuple[QSplitter, ...]:
        return self.lesson, self.results, self.whole

    def _parts(self) -> tuple[QWidget, ...]:
        """Return what can be put away: asked for anew, as PySide may give up its object for the menu bar."""
        bars = (self.menuBar(), self.controls, self.transforms, self.status)
        return *bars, self.scenarios, self.code_column, self.results, self.bottom

    def _give_command(self, action: QAction) -> None:
        self.command_given.emit(action.objectName())

    def action(self, command: str) -> QAction:
        """Return the action of `command`."""
        return next(each for each in self._commands_given.actions() if each.objectName() == command)


def _splitter(
    name: str, orientation: Qt.Orientation, parts: list[QWidget], sizes: list[int], stretches: list[int]
) -> QSplitter:
    """Return `parts` side by side with these sizes; room that the window gains is shared out by `stretches`."""
    splitter = QSplitter(orientation)
    splitter.setObjectName(name)
    splitter.setChildrenCollapsible(False)
    for place, (part, stretch) in enumerate(zip(parts, stretches, strict=True)):
        splitter.addWidget(part)
        splitter.setStretchFactor(place, stretch)
    splitter.setSizes(sizes)
    return splitter
