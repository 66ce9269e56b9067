"""The window with all its views."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from views.code.code_view import CodeView
from views.findings.findings_view import FindingsView
from views.findings.output_view import OutputView
from views.parts.explained import explain, sentences
from views.parts.hairline_splitter import HairlineSplitter
from views.story.scenario_list import ScenarioList
from views.story.story_view import StoryView
from views.theme import LIGHT, Theme, icon, tab_style
from views.tool_bar.control_bar import ControlBar
from views.tool_bar.in_force import InForce
from views.tool_bar.transform_row import TransformRow
from views.window.commands import CommandTable, build
from views.window.layout import Layout, Room
from views.window.notice_bar import NoticeBar
from views.window.pane import focus_into
from views.window.pane_area import PaneArea
from views.window.status_line import StatusLine
from views.window.strips import StripRow
from views.window.tab_order import in_order

SIZE = (1280, 800)
FIRST_SHARE = 0.85
SETTLING = 2
"""Repeated layouts after a change of width: first of the words, then of the choices below them."""
SIZES = "panes"
"""The name of the pane sizes among those of the splitters."""


class MainWindow(QMainWindow):
    """Creates the views and lays them out, independently of the source of their contents.

    Signals:
        command_given: the id of the command that was chosen from a menu, a button or by its keys.
        pane_wanted: the name of the pane to enlarge, or to restore.
        fold_wanted: the name of the part to fold to a strip.
        uncover_wanted: the user wants to see a pane that is covered until a question is answered.
        sizes_changed: the user has resized a part.
        room_changed: the available room has changed.
        menu_opened: a menu of the menu bar is about to open.
        themed: the new Theme.
        closing: the window is about to close.
    """

    command_given = Signal(str)
    pane_wanted = Signal(str)
    fold_wanted = Signal(str)
    uncover_wanted = Signal()
    sizes_changed = Signal()
    room_changed = Signal()
    menu_opened = Signal()
    themed = Signal(object)
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("JAX Explorer")
        self.resize(*SIZE)
        self._layout: Layout | None = None
        self._settling = 0
        self._room_delay = QTimer(self, singleShot=True, interval=0)
        self._room_delay.timeout.connect(self.room_changed)
        self._code_above_lists, self._room_of_tabs = False, 0
        self.scenarios = ScenarioList()
        self.story = StoryView()
        self.notice = NoticeBar()
        self.code = CodeView()
        self.area = PaneArea()
        self.findings = FindingsView()
        self.output = OutputView()
        self.controls = ControlBar()
        self.transforms = TransformRow()
        self.status = StatusLine()
        self.in_force = InForce(self.controls, self.transforms)
        self.strips = StripRow(self._strip_titles())
        self.rail = QToolButton(autoRaise=True)
        self._theme = LIGHT
        self.commands = CommandTable().commands()
        self._commands_given = build(self, self.commands)
        self._actions = {action.objectName(): action for action in self._commands_given.actions()}
        self._commands_given.triggered.connect(self._give_command)
        self.code.addActions([self.action(command.id) for command in self.commands if command.in_code])
        for menu in self.menuBar().findChildren(QMenu):
            menu.aboutToShow.connect(self.menu_opened)
        self._lay_out()

    @property
    def theme(self) -> Theme:
        """Return the theme of the window."""
        return self._theme

    def set_findings_title(self, verdict: str) -> None:
        """Show `verdict`, such as "1 bug, 2 notes", on the tab of the findings."""
        title = self.tr("Findings")
        self.bottom.setTabText(0, f"{title}: {verdict}" if verdict else title)
        self.bottom.setTabToolTip(0, verdict)
        self._fit_corner()
        self.strips.show_verdict("findings", verdict)

    def _fit_corner(self) -> None:
        """Hide the question next to the tabs where there is no room for both; it is in the menu, too."""
        wide = self.bottom.tabBar().sizeHint().width() + self._corner_width
        self._asks_jax.setVisible(wide <= self._room_of_tabs)

    def call_noise(self, draws: bool) -> None:
        """Name the pane of arrays by its contents: the noise that a program draws, or only its outputs."""
        pane, title = self.area.noise, self.tr("Noise") if draws else self.tr("Outputs")
        pane.call(title)
        if pane.view is not None:
            pane.view.setAccessibleName(title)
        self.strips.show_title(pane.name, f"{pane.number} {title}")

    def apply_theme(self, theme: Theme) -> None:
        """Apply `theme` to every view."""
        self._theme = theme
        views = (self.scenarios, self.story, self.notice, self.code, self.area, self.findings, self.output)
        for view in (*views, self.controls, self.transforms, self.in_force, self.status, self.strips):
            view.apply_theme(theme)
        self.action("lessons").setIcon(icon("lessons", theme))
        self._fold_findings.setIcon(icon("fold", theme))
        self.bottom.tabBar().setStyleSheet(tab_style(theme))
        self._room_delay.start()
        self.scenarios.setMinimumWidth(theme.px(120))
        for command in self.commands:
            if command.bar:
                self.action(command.id).setIcon(icon(command.id, theme))
        self.themed.emit(theme)

    # -- where everything is -------------------------------------------------------------------

    def room(self) -> Room:
        """Return the available room."""
        theme = self._theme
        letters = QFontMetricsF(theme.mono_font())
        within = self.centralWidget().contentsRect()
        strips = self.strips.sizeHint().height()
        return Room(
            width=within.width() - self.rail.width(),
            height=within.height() - strips,
            column=letters.horizontalAdvance("0"),
            line=letters.lineSpacing(),
            scale=theme.scale,
            story=self.story.height_for(self.lesson.width()),
            finding=self.bottom.tabBar().sizeHint().height() + self.findings.height_of_first(),
        )

    def obey(self, layout: Layout) -> None:
        """Apply `layout`; the focused widget keeps the keyboard where it stays visible."""
        if layout == self._layout:
            return
        focused = self.focusWidget()
        before, self._layout = self._layout, layout
        if before is None or before.code_below != layout.code_below:
            if focused is not None and any(part.isAncestorOf(focused) for part in (self.lesson, self.results)):
                # What is moved or hidden loses the keyboard: Qt would look for the next widget at each move.
                focused.clearFocus()
            self._put_code_below(layout.code_below)
        if not layout.code_below:
            self._put_code_above_lists(layout.form == "stage" and layout.findings and not layout.panes)
        self.scenarios.setVisible(layout.list_open)
        self.action("lessons").setChecked(layout.list_open)
        for pane in self.area.panes:
            pane.cover(layout.covered)
        self.area.setVisible(bool(layout.panes))
        self.bottom.setVisible(layout.findings)
        self.results.setVisible(bool(layout.panes) or layout.findings or layout.code_below)
        self.strips.cover(layout.covered)
        self.code.hold_back(layout.covered)
        self.status.cover(layout.covered)
        self.strips.show_folded(layout.strips)
        self.story.set_side_by_side(layout.code_below)
        self.restore_sizes(layout.sizes)
        if self._code_above_lists:
            upper, lower = layout.sizes["results"]
            self.results.setSizes([0, upper, lower])
        self._room_of_tabs = layout.sizes["whole"][1 if layout.code_below else 2]
        self._fit_corner()
        if before is None or _of_panes(before) != _of_panes(layout):
            panes, enlarged, sizes = _of_panes(layout)
            self.area.show_panes(panes, enlarged=enlarged, sizes=sizes)
        if before is None or before.sizes["whole"] != layout.sizes["whole"]:
            self._settling = SETTLING
        if self._settling:
            # Only then the height of the story in its new width is known.
            self._settling -= 1
            self._room_delay.start()
        if before is not None and before.form != layout.form:
            self.code.show_here()
        if focused is not None and focused is not self.focusWidget():
            self._give_keyboard_back(focused, layout)

    def _give_keyboard_back(self, focused: QWidget, layout: Layout) -> None:
        """Give the keyboard to `focused`; where it is hidden, to the visible pane, a question or the code."""
        above: QWidget | None = focused
        while above is not None and above is not self and not above.isHidden():
            above = above.parentWidget()
        if above is self:
            focused.setFocus()
        else:
            # A digit answers what is asked, and is typed into the code.
            without = self.story if layout.covered else self.code
            focus_into(self.area.by_name[layout.panes[0]].widget() if layout.panes else without)

    def take_up_reading(self, tells: bool) -> None:
        """Focus the story where one is shown, else the code, if the keyboard was moved by opening this page.

        A list of lessons keeps it, and so do the controls.
        """
        focused = self.focusWidget()
        if focused is None or any(part.isAncestorOf(focused) for part in (self.code_column, self.story, self.bottom)):
            (self.story if tells else self.code).setFocus()

    def _put_code_below(self, below: bool) -> None:
        """Put the code below the panes with the story at the side, or below the story with the panes at the side."""
        self._code_above_lists = False
        if below:
            self.results.insertWidget(1, self.code_column)
            self.whole.insertWidget(1, self.results)
        else:
            self.lesson.insertWidget(1, self.code_column)
            self.whole.insertWidget(1, self.lesson)
        self._show_moved_code()

    def _put_code_above_lists(self, above: bool) -> None:
        """On a stage without a pane, put the code above the lists: side by side both are too narrow."""
        if above != self._code_above_lists:
            self._code_above_lists = above
            (self.results if above else self.lesson).insertWidget(1, self.code_column)
            self._show_moved_code()

    def _show_moved_code(self) -> None:
        # What gets another parent is hidden by that, and its fonts become those of before there was a style sheet.
        self.code_column.show()
        for part in (self.notice, self.code):
            part.apply_theme(self._theme)

    def save_sizes(self) -> dict[str, tuple[int, ...]]:
        """Return the sizes of the splitters, and those of the panes."""
        sizes = {splitter.objectName(): tuple(splitter.sizes()) for splitter in self._splitters()}
        return {**sizes, SIZES: self.area.sizes()}

    def restore_sizes(self, sizes: dict[str, tuple[int, ...]]) -> None:
        """Restore the sizes that `save_sizes` returned."""
        for splitter in self._splitters():
            if len(sizes.get(splitter.objectName(), ())) == splitter.count():
                splitter.setSizes(list(sizes[splitter.objectName()]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            # At once: what is laid out has not been painted yet, and would be once more after a delay.
            self.room_changed.emit()
        else:
            self._room_delay.start()

    def restore_window(self, geometry: bytes) -> None:
        """Restore position and size as ``saveGeometry`` returned them in an earlier session, within the screen.

        At a first start, and where Qt does not restore those of another screen, the window is maximised.
        """
        # It has its handle from here on.
        self.winId()
        self.windowHandle().screenChanged.connect(self._fit_screen)
        if geometry and self.restoreGeometry(QByteArray(geometry)):
            self._fit_screen()
            return
        room = self.screen().availableGeometry()
        self.resize(room.size() * FIRST_SHARE)
        self.move(room.center() - self.rect().center())
        self.setWindowState(Qt.WindowState.WindowMaximized)

    def _fit_screen(self) -> None:
        """Make the window at most as large as its screen."""
        if not (self.isMaximized() or self.isFullScreen()):
            frame = self.frameGeometry().size() - self.size()
            self.resize(self.size().boundedTo(self.screen().availableGeometry().size() - frame))

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Let Tab go from part to part in reading order, including widgets that were created later."""
        if self.area.show_other_half():
            return True
        order, here = in_order(self, self._tab_parts()), self.focusWidget()
        if here not in order:
            return super().focusNextPrevChild(forward)
        place = order.index(here) + (1 if forward else -1)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        order[place % len(order)].setFocus(reason)
        return True

    def _tab_parts(self) -> tuple[QWidget, ...]:
        upper = (self.rail, self.scenarios, self.story, self.code_column, *self.area.panes, self.bottom, self.strips)
        return (*upper, *self.controls.parts, self.transforms, self.in_force)

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
        self.bottom.setCornerWidget(self._corner())
        explain(self.bottom, "findings")
        self.bottom.setTabWhatsThis(1, sentences("output"))
        self.bottom.setUsesScrollButtons(False)
        self.bottom.setElideMode(Qt.TextElideMode.ElideRight)
        self.results = _splitter("results", Qt.Orientation.Vertical, [self.area, self.bottom], [600, 105], [8, 1])
        self.whole = _splitter(
            "whole", Qt.Orientation.Horizontal, [self.scenarios, self.lesson, self.results], [188, 400, 692], [1, 3, 5]
        )
        for splitter in self._splitters():
            splitter.splitterMoved.connect(self.sizes_changed)
        self.area.dragged.connect(self.sizes_changed)
        self.strips.wanted.connect(self.pane_wanted)
        self.strips.time_wanted.connect(self.action("time").trigger)
        for pane in self.area.panes:
            pane.picture.reported.connect(self.status.show_hover)
            pane.verdict_reported.connect(self.strips.show_verdict)
            pane.maximise_requested.connect(self.pane_wanted)
            pane.fold_requested.connect(self.fold_wanted)
            pane.uncover_requested.connect(self.uncover_wanted)
        self.rail.setDefaultAction(self.action("lessons"))
        self.rail.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.rail.setAccessibleName(self.action("lessons").text())
        self.setCentralWidget(self._framed())
        self.addToolBar(self.controls)
        for command in sorted(self.commands, key=lambda command: command.bar):
            if command.bar:
                self.controls.add_command(self.action(command.id), command.word)
        self.addToolBarBreak()
        self.addToolBar(self.transforms)
        self.transforms.hide()
        self.addToolBarBreak()
        self.addToolBar(self.in_force)
        self.in_force.hide()
        self.setStatusBar(self.status)

    def _framed(self) -> QWidget:
        """Return everything with the rail at its left and the strips below."""
        frame, right = QWidget(), QWidget()
        column, row = QVBoxLayout(right), QHBoxLayout(frame)
        for layout in (column, row):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        column.addWidget(self.whole, 1)
        column.addWidget(self.strips)
        row.addWidget(self.rail, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(right, 1)
        return frame

    def _strip_titles(self) -> dict[str, tuple[str, str]]:
        titles = {name: (str(pane.number), pane.windowTitle()) for name, pane in self.area.by_name.items()}
        return titles | {"findings": ("", self.tr("Findings"))}

    def _code_column(self) -> QWidget:
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(self.code, 1)
        return column

    def _corner(self) -> QWidget:
        """Return the widgets next to the tabs: the switch of JAX's checker, and a button that folds them."""
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        self._fold_findings = QToolButton(autoRaise=True)
        self._fold_findings.setAccessibleName(self.tr("Fold the findings"))
        self._fold_findings.setToolTip(self.tr("Fold the findings to a strip"))
        self._fold_findings.clicked.connect(self._fold)
        self._asks_jax = self._ask_jax()
        for button in (self._asks_jax, self._fold_findings):
            row.addWidget(button)
        return corner

    @property
    def _corner_width(self) -> int:
        """Return the width of the question to JAX and of the button next to it."""
        return self._asks_jax.sizeHint().width() + self._fold_findings.sizeHint().width()

    def _fold(self) -> None:
        self.fold_wanted.emit("findings")

    def _ask_jax(self) -> QToolButton:
        """Return the question next to the tabs; its action is in the menu too."""
        button = QToolButton(autoRaise=True)
        action = self.action("jax_checker")
        action.setIconText(self.tr("What does JAX's own checker say?"))
        button.setDefaultAction(action)
        button.setAccessibleName(action.iconText())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _splitters(self) -> tuple[QSplitter, ...]:
        return self.lesson, self.results, self.whole

    def _give_command(self, action: QAction) -> None:
        self.command_given.emit(action.objectName())

    def action(self, command: str) -> QAction:
        """Return the action of `command`."""
        return self._actions[command]


def _of_panes(layout: Layout) -> tuple[tuple[str, ...], bool, tuple[int, ...]]:
    return layout.panes, layout.enlarged, layout.sizes.get(SIZES, ())


def _splitter(
    name: str, orientation: Qt.Orientation, parts: list[QWidget], sizes: list[int], stretches: list[int]
) -> QSplitter:
    """Return `parts` side by side with these sizes; additional room is divided by `stretches`."""
    splitter = HairlineSplitter(orientation)
    splitter.setObjectName(name)
    splitter.setChildrenCollapsible(False)
    for place, (part, stretch) in enumerate(zip(parts, stretches, strict=True)):
        splitter.addWidget(part)
        splitter.setStretchFactor(place, stretch)
    splitter.setSizes(sizes)
    return splitter
