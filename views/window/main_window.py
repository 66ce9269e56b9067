"""MainWindow creates all views, lays them out, and applies a Layout to them."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QFontMetricsF, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenu, QSplitter, QTabWidget, QToolButton, QVBoxLayout, QWidget

from explorer.scenario.scenario import Scenario
from views.code.code_view import CodeView
from views.findings.findings_view import FindingsView
from views.findings.output_view import OutputView
from views.parts.controls import HairlineSplitter, fill
from views.story.scenario_list import ScenarioList
from views.story.story_view import StoryView
from views.theme import Theme, Themed, apply_to_tree, dressed, icon, lettered, tab_style
from views.tool_bar.control_bar import ControlBar
from views.tool_bar.settings_in_force import SettingsInForce
from views.tool_bar.transform_row import TransformRow
from views.window.commands import CommandTable, build
from views.window.cover import Coverable
from views.window.layout import AvailableSize, Layout
from views.window.notice_bar import NoticeBar, Tour
from views.window.pane import focus_into
from views.window.pane_area import PaneArea
from views.window.status_line import StatusLine
from views.window.strips import StripRow
from views.window.tab_order import in_order

SIZE = (1280, 800)
FIRST_SHARE = 0.92
UNBOUNDED = 16_777_215
"""Qt's own largest height of a widget (QWIDGETSIZE_MAX)."""
FINDINGS_TAB, OUTPUT_TAB = 0, 1
SIZES = "panes"
"""The name of the pane sizes among those of the splitters."""


class MainWindow(Themed, QMainWindow):
    """Creates the views and lays them out, independently of the source of their contents.

    Signals:
        command_given: the id of the command that was chosen from a menu, a button or by its keys.
        pane_wanted: the name of the pane to enlarge, or to restore.
        fold_wanted: the name of the part to fold to a strip.
        uncover_wanted: the user wants to see a pane that is covered until a question is answered.
        sizes_changed: the user has resized a part.
        room_changed: the available room has changed.
        menu_opened: a menu of the menu bar is about to open.
        closing: the window is about to close.
    """

    command_given = Signal(str)
    pane_wanted = Signal(str)
    fold_wanted = Signal(str)
    uncover_wanted = Signal()
    sizes_changed = Signal()
    room_changed = Signal()
    menu_opened = Signal()
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("JAX Explorer")
        self.resize(*SIZE)
        # Qt's menu hides tool bars and panes, behind the back of what shows them.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._layout: Layout | None = None
        self._findings_verdict = ""
        self._room_delay = QTimer(self, singleShot=True, interval=0)
        self._room_delay.timeout.connect(self.room_changed)
        self._code_above_lists, self._room_of_tabs = False, 0
        self.scenarios = dressed(ScenarioList(), lambda rows, theme: rows.setMinimumWidth(theme.px(120)))
        self.story = StoryView()
        self.notice = NoticeBar()
        self.code = CodeView()
        self.area = PaneArea()
        self.findings = FindingsView()
        self.output = OutputView()
        self.controls = ControlBar()
        self.transforms = TransformRow()
        self.status = StatusLine()
        self.in_force = SettingsInForce(self.transforms)
        self.strips = StripRow(
            {name: (str(pane.number), pane.windowTitle()) for name, pane in self.area.by_name.items()}
        )
        self.tour = Tour()
        self.rail = QToolButton(autoRaise=True)
        self.commands = CommandTable().commands()
        self._commands_given = build(self, self.commands)
        self._actions = {action.objectName(): action for action in self._commands_given.actions()}
        self._commands_given.triggered.connect(lambda action: self.command_given.emit(action.objectName()))
        self.code.addActions([self.action(command.id) for command in self.commands if command.in_code])
        for menu in self.menuBar().findChildren(QMenu):
            menu.aboutToShow.connect(self.menu_opened)
        self._lay_out()

    def set_findings_title(self, verdict: str) -> None:
        """Show `verdict`, such as "1 bug, 2 notes", on the tab of the findings."""
        self._findings_verdict = verdict
        if self._layout is not None and "findings" in self._layout.covered:
            verdict = self.tr("after your answer")
        title = self.tr("Findings")
        self.bottom.setTabText(0, f"{title}: {verdict}" if verdict else title)
        self.bottom.setTabToolTip(0, verdict)
        self._fit_corner()

    def _fit_corner(self) -> None:
        """Hide the question next to the tabs where there is no room for both; it is in the menu, too."""
        wide = sum(each.sizeHint().width() for each in (self.bottom.tabBar(), self._asks_jax, self._fold_findings))
        self._asks_jax.setVisible(wide <= self._room_of_tabs)

    def call_noise(self, draws: bool) -> None:
        """Name the pane of arrays by its contents: the noise that a program draws, or only its outputs."""
        pane, title = self.area.noise, self.tr("Noise") if draws else self.tr("Outputs")
        pane.call(title)
        if pane.view is not None:
            pane.view.setAccessibleName(title)
        self.strips.of(pane.name).show_title(f"{pane.number} {title}")

    def apply_theme(self, theme: Theme) -> None:
        # A style sheet keeps Qt from handing colours and letters down.
        self.bottom.setPalette(self.palette())
        self.bottom.tabBar().setStyleSheet(tab_style(theme))
        self._open_findings(self._tabs[0].isEnabled())
        self._room_delay.start()
        for command in ("lessons", *(command.id for command in self.commands if command.bar)):
            self.action(command).setIcon(icon(command, theme))

    # -- where everything is -------------------------------------------------------------------

    def room(self) -> AvailableSize:
        theme = self.theme
        letters = QFontMetricsF(theme.mono_font())
        within = self.centralWidget().contentsRect()
        return AvailableSize(
            width=within.width() - self.rail.width(),
            height=within.height(),
            column=letters.horizontalAdvance("0"),
            line=letters.lineSpacing(),
            scale=theme.scale,
            rail=self.rail.width(),
            bar=self._bar_height,
        )

    @property
    def _bar_height(self) -> int:
        """Return the height of the findings where they are folded to their tabs."""
        return self.bottom.tabBar().sizeHint().height()

    def obey(self, layout: Layout) -> None:
        """Apply `layout`; the focused widget keeps the keyboard where it stays visible."""
        if layout == self._layout:
            self.restore_sizes(layout.sizes)
            return
        # Once more, when the parts have taken what they need.
        self._room_delay.start()
        focused = self.focusWidget()
        before, self._layout = self._layout, layout
        if before is None or before.code_below != layout.code_below:
            if focused is not None and any(part.isAncestorOf(focused) for part in (self.lesson, self.results)):
                # A widget that is moved or hidden loses the keyboard: Qt would look for the next one at each move.
                focused.clearFocus()
            self._put_code_below(layout.code_below)
        if not layout.code_below:
            self._put_code_above_lists(layout.form == "stage" and layout.findings and not layout.panes)
        self.scenarios.setVisible(layout.list_open)
        self.action("lessons").setChecked(layout.list_open)
        if before is None or before.covered != layout.covered:
            self._cover(layout.covered)
        self.area.setVisible(bool(layout.panes))
        on_stage = layout.form == "stage"
        self.bottom.setVisible(layout.findings or not on_stage)
        self._open_findings(layout.findings)
        self.results.setVisible(bool(layout.panes) or layout.findings or not on_stage)
        self.strips.show_folded(layout.strips)
        self.restore_sizes(layout.sizes)
        if self._code_above_lists:
            upper, lower = layout.sizes["results"]
            self.results.setSizes([0, upper, lower])
        self._room_of_tabs = layout.sizes["whole"][1 if layout.code_below else 2]
        self._fit_corner()
        if before is None or _of_panes(before) != _of_panes(layout):
            panes, enlarged, sizes = _of_panes(layout)
            self.area.show_panes(panes, enlarged=enlarged, sizes=sizes)
        if before is not None and before.form != layout.form:
            self.code.show_here()
        if focused is not None and focused is not self.focusWidget():
            self._give_keyboard_back(focused, layout)

    def _cover(self, covered: AbstractSet[str]) -> None:
        """Cover the parts `covered`, and what says the same elsewhere, until a question is answered."""
        for name, pane in self.area.by_name.items():
            pane.cover(name in covered)
        for tab in self._tabs:
            tab.show_cover("findings" in covered)
        self.set_findings_title(self._findings_verdict)
        self.strips.cover(covered)
        self.code.hold_back(bool(covered))
        self.area.hold_back(bool(covered))
        self.status.cover(bool(covered))

    def _open_findings(self, opened: bool) -> None:
        """Open the lists of findings and output, or fold them to their tabs."""
        for tab in self._tabs:
            # A folded list must not get the keyboard.
            tab.setEnabled(opened)
        self.bottom.setMaximumHeight(UNBOUNDED if opened else self._bar_height)
        self._fold_findings.setIcon(icon("fold" if opened else "unfold", self.theme))
        text = self.tr("Fold the findings") if opened else self.tr("Open the findings")
        self._fold_findings.setAccessibleName(text)
        self._fold_findings.setToolTip(text)

    def _give_keyboard_back(self, focused: QWidget, layout: Layout) -> None:
        """Give the keyboard to `focused`; where it is hidden, to the visible pane, a question or the code."""
        above: QWidget | None = focused
        while above is not None and above is not self and not above.isHidden():
            above = above.parentWidget()
        if above is self:
            focused.setFocus()
        else:
            # Digits answer a question of the story; into the code they would be typed.
            without = self.story if layout.covered else self.code
            focus_into(self.area.by_name[layout.panes[0]].widget() if layout.panes else without)

    def take_up_reading(self, opened: Scenario) -> None:
        """Focus the story where `opened` has one, else the code, if the keyboard was moved by opening it.

        A list of lessons keeps it, and so do the controls.
        """
        focused = self.focusWidget()
        if focused is None or any(part.isAncestorOf(focused) for part in (self.code_column, self.story, self.bottom)):
            (self.story if opened.steps else self.code).setFocus()

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
        # A new parent hides a widget and resets its fonts to those before the style sheet.
        self.code_column.show()
        for part in (self.notice, self.code):
            apply_to_tree(part, self.theme)

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._room_delay.start()
        return super().eventFilter(watched, event)

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
        """Let Tab go from part to part in reading order, including widgets that were created later; on a stage to the
        other of two compared programs.
        """
        order, here = in_order(self, self._tab_parts()), self.focusWidget()
        # Qt also asks when it has hidden the part with the keyboard.
        if self.theme.on_stage and here is not None and here.isVisible() and self.area.show_other_half():
            return True
        if here not in order:
            return super().focusNextPrevChild(forward)
        place = order.index(here) + (1 if forward else -1)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        order[place % len(order)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Keys come here that the part with the focus does not use, such as a tab of a pane.
        if not self.story.read_by(event):
            super().keyPressEvent(event)

    def _tab_parts(self) -> tuple[QWidget, ...]:
        upper = (self.rail, self.scenarios, self.story, self.code_column, self.tour, *self.area.panes)
        return (*upper, self.strips, self.bottom, *self.controls.parts, self.transforms, self.in_force)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        event.accept()

    def _lay_out(self) -> None:
        self.code_column = self._code_column()
        self.lesson = _splitter("lesson", Qt.Orientation.Vertical, [self.story, self.code_column], [310, 400], [2, 3])
        self.bottom = QTabWidget(documentMode=True)
        self._tabs = Coverable(self.findings), Coverable(self.output)
        for tab, title in zip(self._tabs, (self.tr("Findings"), self.tr("Output")), strict=True):
            self.bottom.addTab(tab, title)
        for part in (self.bottom, self.bottom.tabBar()):
            part.setAccessibleName(self.tr("Findings and output"))
        self.bottom.setCornerWidget(self._corner())
        self.bottom.setUsesScrollButtons(False)
        self.bottom.setElideMode(Qt.TextElideMode.ElideRight)
        self.bottom.tabBarClicked.connect(self._on_tab)
        self.results = _splitter(
            "results", Qt.Orientation.Vertical, [self._panes_and_strips(), self.bottom], [600, 105], [8, 1]
        )
        self.whole = _splitter(
            "whole", Qt.Orientation.Horizontal, [self.scenarios, self.lesson, self.results], [188, 400, 692], [1, 3, 5]
        )
        for splitter in self._splitters():
            splitter.splitterMoved.connect(self.sizes_changed)
        self.area.dragged.connect(self.sizes_changed)
        self.strips.wanted.connect(self.pane_wanted)
        for pane in self.area.panes:
            pane.picture.reported.connect(self.status.show_hover)
            pane.verdict_reported.connect(self.strips.show_verdict)
            pane.maximise_requested.connect(self.pane_wanted)
            pane.fold_requested.connect(self.fold_wanted)
        for cover in (*(pane.body.cover for pane in self.area.panes), *(tab.cover for tab in self._tabs)):
            cover.uncover_wanted.connect(self.uncover_wanted)
            cover.answer_wanted.connect(self.story.ask_first)
        self.rail.setDefaultAction(self.action("lessons"))
        self.rail.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.rail.setAccessibleName(self.action("lessons").text())
        self.setCentralWidget(self._framed())
        # A second row of tools takes room from it, and nothing from the window.
        self.centralWidget().installEventFilter(self)
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
        """Return everything with the rail at its left."""
        frame = QWidget()
        row = fill(QHBoxLayout(frame), self.rail, (self.whole, 1))
        row.setAlignment(self.rail, Qt.AlignmentFlag.AlignTop)
        return frame

    def _panes_and_strips(self) -> QWidget:
        """Return the panes with the tour above, and the strips of folded ones below."""
        whole = QWidget()
        fill(QVBoxLayout(whole), self.tour, (self.area, 1), self.strips)
        return whole

    def _code_column(self) -> QWidget:
        column = QWidget()
        fill(QVBoxLayout(column), self.notice, (self.code, 1))
        return column

    def _corner(self) -> QWidget:
        """Return the widgets next to the tabs: the switch of JAX's checker, and a button that folds them."""
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        self._fold_findings = QToolButton(autoRaise=True)
        self._fold_findings.clicked.connect(partial(self.fold_wanted.emit, "findings"))
        self._asks_jax = lettered(self._ask_jax())
        for button in (self._asks_jax, self._fold_findings):
            row.addWidget(button)
        return corner

    def _on_tab(self, _tab: int) -> None:
        if not self._tabs[0].isEnabled():
            self.pane_wanted.emit("findings")

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

    def action(self, command: str) -> QAction:
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
