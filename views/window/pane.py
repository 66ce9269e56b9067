"""Pane: a title bar with the verdict, and a view that can grow, float and be greyed; focus_into() a part."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QColor, QGuiApplication, QMouseEvent, QPixmap
from PySide6.QtWidgets import QApplication, QDockWidget, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from views.parts.controls import MenuButton, fill
from views.parts.labels import ElidedLabel
from views.theme import DIM_TEXT, LIGHT, NOTE_TEXT, Theme, Themed, apply_to_tree, dressed, icon, lettered, spaced
from views.window.cover import Coverable

MOST_LETTERS = 22


class SubjectButton(MenuButton):
    """Names the function and the line of its first call; hidden where a variant is shown.

    Signals:
        chosen: the name of the function.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAutoRaise(True)
        self.setToolTip(self.tr("The function in this pane, with the arguments of its first call in the run"))
        self.setAccessibleName(self.tr("Function"))
        self.setMenu(QMenu(self))
        self.hide()

    def show_controls(self, controls: Controls) -> None:
        """Offer the functions that the script of `controls` calls, if its top level is shown."""
        menu, words = self.menu(), self.tr("{name}, line {line}")
        menu.clear()
        for each in controls.subjects if controls.of_script else ():
            name = each.name if len(each.name) < MOST_LETTERS else f"{each.name[:MOST_LETTERS]}…"
            text = words.format(name=name, line=each.line)
            if each.name == controls.subject:
                self.setText(f"{text} ▾")
            action = menu.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(each.name == controls.subject)
            action.triggered.connect(partial(self.chosen.emit, each.name))
        self.setVisible(bool(controls.of_script))


STALE_DELAY_MS = 250
"""Milliseconds until a pane is greyed, so that a quick result replaces the old one without a flicker."""
FRAMED = (
    Qt.WindowType.Tool
    | Qt.WindowType.CustomizeWindowHint
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowSystemMenuHint
    | Qt.WindowType.WindowCloseButtonHint
)
"""Flags of a separate window above the main one, which shares its shortcuts."""
AT_WORK = "\u21bb"

if TYPE_CHECKING:
    from explorer.session.controls import Controls
    from views.keys.key_view import KeyView
    from views.noise.noise_view import NoiseView
    from views.program.program_view import ProgramView
    from views.timing.timing_view import TimingView

    View = KeyView | NoiseView | ProgramView | TimingView


LEAST_HEIGHT = 120
"""Pixels of the contents, below which nobody can drag a pane."""


class Pane(Themed, QDockWidget):
    """A dock around one view.

    Signals:
        verdict_reported: the pane's name, and its verdict.
        maximise_requested: the name of the pane to enlarge, or to restore.
        fold_requested: the name of the pane to fold to a strip.
        subject_chosen: the name of the function that the pane should be about.
    """

    verdict_reported = Signal(str, str)
    maximise_requested = Signal(str)
    fold_requested = Signal(str)
    subject_chosen = Signal(str)

    def __init__(self, number: int, name: str, title: str) -> None:
        super().__init__()
        self.number = number
        self._verdict = ""
        self.is_at_work = False
        """Whether its contents are being computed."""
        self._is_outdated = False
        self.view: View | None = None
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        # It stays in its place, where a reader looks for it; the button in its title detaches it.
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetFloatable)
        self.title = PaneTitle(number, title)
        self.title.maximise_clicked.connect(partial(self.maximise_requested.emit, self.name))
        self.title.detach_clicked.connect(lambda: self.detach(not self.isFloating()))
        self.title.fold_clicked.connect(partial(self.fold_requested.emit, self.name))
        self.title.subject.chosen.connect(self.subject_chosen)
        self.setTitleBarWidget(self.title)
        # Contents that come or go, such as a lens, must not move the edges of the panes.
        self.body = dressed(Coverable(), lambda body, theme: body.setMinimumHeight(theme.px(LEAST_HEIGHT)))
        self.picture = PanePicture(self, self.body)
        self.setWidget(self.body)
        self.topLevelChanged.connect(self._wear_frame)
        self.topLevelChanged.connect(self.title.show_detached)
        self._stale_delay = QTimer(self, singleShot=True, interval=STALE_DELAY_MS)
        self._stale_delay.timeout.connect(self._work)

    @property
    def name(self) -> str:
        """Return the pane's name in layouts."""
        return self.objectName().removesuffix("_pane")

    def set_view(self, view: View) -> None:
        """Put `view` into the pane; once."""
        self.view = view
        self.body.set_view(view)
        apply_to_tree(view, self.theme)
        view.verdict_changed.connect(self.show_verdict)
        self.picture.refresh()

    def show_verdict(self, verdict: str) -> None:
        """Show `verdict` next to the title, unless the pane is covered."""
        self._verdict = verdict
        self._tell()

    def show_controls(self, controls: Controls) -> None:
        """Name the function of a script that the pane is about, and offer the others."""
        self.title.show_controls(controls)
        self._tell()

    def call(self, title: str) -> None:
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.title.call(title)

    def cover(self, covered: bool) -> None:
        """Blur the contents of the pane until a question is answered, or show them."""
        self.body.show_cover(covered)
        self.picture.refresh()
        self._tell()

    @property
    def is_covered(self) -> bool:
        """Whether the contents are hidden."""
        return self.body.is_covered

    def _tell(self) -> None:
        # The verdict on an older state is not shown for this one.
        text = self.tr("running…") if self.is_at_work else self._verdict
        if self._is_outdated and text == self._verdict != "":
            text = self.tr("before the change: {}").format(text)
        self.verdict_reported.emit(self.name, text)
        verdict = self.tr("after your answer") if self.is_covered else text
        # The times of a script's function have it as their headline.
        is_below = self.name == "timing" and verdict == self._verdict and not self.title.subject.isHidden()
        self.title.show_verdict("" if is_below else verdict)
        self.setAccessibleDescription(verdict)

    def show_stale(self, stale: bool) -> None:
        """Show in the title that the contents are being computed again; the view itself keeps its colours."""
        if stale and not self._stale_delay.isActive() and not self.is_at_work:
            self._stale_delay.start()
        elif not stale:
            self._stale_delay.stop()
            if self.is_at_work:
                self._work(False)

    def show_outdated(self, outdated: bool) -> None:
        """Note that the contents belong to an older program, and that no newer run is under way."""
        if outdated != self._is_outdated:
            self._is_outdated = outdated
            self._tell()

    def _work(self, works: bool = True) -> None:
        self.is_at_work = works
        self.title.show_at_work(works)
        self._tell()

    def detach(self, detached: bool) -> None:
        """Give the pane a separate window, or put it back; the focused widget in it keeps the keyboard."""
        focused = self.focusWidget() if self.isActiveWindow() else None
        if detached != self.isFloating():
            self.setFloating(detached)
            if focused is not None:
                # Qt hides it on the way, and gives the keyboard to whatever is next in the main window, or to nothing.
                self.activateWindow()
                focused.setFocus()

    def _wear_frame(self) -> None:
        """Give a detached pane a frame of the system; Qt gives none to a dock with a custom title bar."""
        if not self.isFloating() or self.windowFlags() == FRAMED:
            return
        geometry = self.geometry()
        self.setWindowFlags(FRAMED)
        self.setGeometry(geometry)
        self.show()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Go back into the main window."""
        if self.isFloating():
            self.detach(False)
            event.ignore()
        else:
            super().closeEvent(event)


class PaneTitle(Themed, QWidget):
    """Number, title, verdict and three buttons.

    Signals:
        maximise_clicked: the button, or a double click on the title.
        detach_clicked, fold_clicked: the button.
    """

    fold_clicked = Signal()
    maximise_clicked = Signal()
    detach_clicked = Signal()

    def __init__(self, number: int, title: str) -> None:
        super().__init__()
        self._maximised = self._detached = self._wanted = False
        self.setAutoFillBackground(True)
        self._number = QLabel(str(number))
        self._number.setForegroundRole(DIM_TEXT)
        self._name = lettered(QLabel(title), bold=True)
        self.subject = SubjectButton()
        self._verdict = ElidedLabel()
        self._work = QLabel(AT_WORK)
        self._work.hide()
        self._work.setForegroundRole(NOTE_TEXT)
        self._maximise = QToolButton(autoRaise=True)
        self._maximise.setObjectName("maximise")
        self._maximise.clicked.connect(self.maximise_clicked)
        self._detach = QToolButton(autoRaise=True)
        self._detach.setToolTip(self.tr("Detach this pane, or put it back"))
        self._detach.clicked.connect(self.detach_clicked)
        self._fold = QToolButton(autoRaise=True)
        self._fold.setToolTip(self.tr("Fold this pane to a strip"))
        self._fold.clicked.connect(self.fold_clicked)
        words = self._number, self._name, self.subject, self._work, (self._verdict, 1)
        line = fill(QHBoxLayout(self), *words, self._fold, self._detach, self._maximise)
        spaced(line, 12, 3, 4, 3, spacing=8)
        self.apply_theme(LIGHT)

    def show_verdict(self, verdict: str) -> None:
        self._verdict.show_text(verdict)

    def show_controls(self, controls: Controls) -> None:
        self.subject.show_controls(controls)
        self._fit_verdict()

    def show_detached(self, detached: bool) -> None:
        """Disable folding while the pane has a separate window, which is closed instead."""
        self._detached = detached
        self._offer_buttons()

    def _offer_buttons(self) -> None:
        """Show the buttons, but not on a stage, where the keys arrange the panes."""
        on_stage = self.theme.on_stage
        self._detach.setHidden(on_stage)
        self._fold.setHidden(on_stage or self._detached)

    def show_at_work(self, works: bool) -> None:
        self._work.setVisible(works)

    def call(self, title: str) -> None:
        self._name.setText(title)
        self.show_maximised(self._maximised, may=not self._maximise.isHidden())

    def show_wanted(self, wanted: bool) -> None:
        self._wanted = wanted
        self._colour()

    def show_maximised(self, maximised: bool, *, may: bool = True) -> None:
        self._maximised = maximised
        self._maximise.setVisible(may)
        self._maximise.setIcon(icon("restore" if maximised else "maximise", self.theme))
        key = f"Ctrl+{self._number.text()}"
        text = self.tr("Back to normal size ({})") if maximised else self.tr("Make this pane large ({})")
        self._maximise.setToolTip(text.format(key))
        self._maximise.setAccessibleName(self.tr("Maximise {}").format(self._name.text()))
        self._detach.setAccessibleName(self.tr("Detach {}").format(self._name.text()))
        self._fold.setAccessibleName(self.tr("Fold {}").format(self._name.text()))

    def apply_theme(self, theme: Theme) -> None:
        self._fit_verdict()
        self._detach.setIcon(icon("detach", theme))
        self._fold.setIcon(icon("fold", theme))
        self._offer_buttons()
        self._colour()
        self.show_maximised(self._maximised, may=not self._maximise.isHidden())

    def _fit_verdict(self) -> None:
        # On a stage, and next to a function's name, the pane below says it in whole sentences.
        is_full = self.theme.on_stage or not self.subject.isHidden()
        self._verdict.fit("whole or nothing" if is_full else "clauses")

    def _colour(self) -> None:
        palette = self.palette()
        ground = self.theme.focus_fill_on(self.theme.panel) if self._wanted else QColor(self.theme.panel)
        palette.setColor(self.backgroundRole(), ground)
        self.setPalette(palette)
        self.setAccessibleDescription(self.tr("The story is about this pane") if self._wanted else "")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.maximise_clicked.emit()
        event.accept()


def focus_into(part: QWidget) -> bool:
    """Focus `part`, or the first widget in it that takes the keyboard; return whether there is one."""
    proxy = part.focusProxy()
    for widget in (*filter(None, (proxy,)), part, *part.findChildren(QWidget)):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if QApplication.activeWindow() not in (None, widget.window()):
                # In a pane that is detached.
                widget.activateWindow()
            return True
    return False


class PanePicture(QObject):
    """Copies the view of `pane`, from the menu of its `body`.

    Signals:
        reported: a sentence about the result.
    """

    reported = Signal(str)

    def __init__(self, pane: Pane, body: QWidget) -> None:
        super().__init__(pane)
        self._pane = pane
        self.prints: Callable[[], QPixmap] | None = None
        """Returns the picture with what only paper says; None for the view as it is on screen."""
        self._copy = QAction(self.tr("Copy the picture"), body)
        self._copy.triggered.connect(self.copy)
        body.addAction(self._copy)
        body.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.refresh()

    @property
    def is_there(self) -> bool:
        """Whether a visible view exists."""
        return self._pane.view is not None and not self._pane.is_covered

    def refresh(self) -> None:
        """Enable the action where there is a picture."""
        self._copy.setEnabled(self.is_there)

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        assert self._pane.view is not None
        QGuiApplication.clipboard().setPixmap(self.prints() if self.prints is not None else self._pane.view.grab())
        self.reported.emit(self.tr("The picture of {} is on the clipboard.").format(self._pane.windowTitle()))
