"""ControlBar, the tool bar: device, variant, comparison, the parameters of ``inputs``, buttons."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolBar, QToolButton, QWidget

from explorer.focus.variant_names import shown_variant
from explorer.messages import ORIGINAL, TOP_LEVEL
from explorer.session.controls import Controls
from views.parts.controls import fill
from views.parts.own_document import plain_tip
from views.theme import Theme, dressed, spaced
from views.tool_bar.control_rows import ControlRows, TitleBox
from views.tool_bar.parameter_fields import ParameterFields

AT, ELSEWHERE = "at ", "elsewhere"
"""How entries of the device box that are no devices begin: known remotes, and the way to others."""
LINE = 1
"""Pixels of the line below the bar."""
MOST_LETTERS = 26
"""The most characters of a variant's title."""


class ControlBar(QToolBar):
    """Shows Controls and emits the user's choices.

    Signals:
        device_chosen, variant_chosen, compare_chosen: the id or name; compare is empty for none.
        remote_chosen: the name of a remote, empty for this Python.
        elsewhere_wanted: the user asks for another remote.
        parameter_set: a Parameter with its new value.
    """

    device_chosen = Signal(str)
    remote_chosen = Signal(str)
    elsewhere_wanted = Signal()
    variant_chosen = Signal(str)
    compare_chosen = Signal(str)
    parameter_set = Signal(object)

    def __init__(self, *, live: bool = True) -> None:
        """With `live`, emit a value while it is typed; else, for an audience, only at Enter, and show titles whole."""
        super().__init__()
        self.setObjectName("control_bar")
        self.setWindowTitle(self.tr("Controls"))
        self.setMovable(False)
        self._titles: dict[str, str] = {}
        self._controls = Controls()
        self._device = TitleBox(5, 10)
        most = MOST_LETTERS if live else 2 * MOST_LETTERS
        self._variant = TitleBox(11, most)
        self._compare = TitleBox(11, most)
        compare_tip = self.tr("A second function, shown next to the first for comparison")
        self._choices = (
            _named(self._device, self.tr("Device"), self.tr("Where the program runs and is timed")),
            _named(self._variant, self.tr("Variant"), self.tr("The function that the panes show")),
            _named(self._compare, self.tr("Compare with"), compare_tip),
        )
        self._device.chosen.connect(self._on_device)
        self._variant.chosen.connect(self.variant_chosen)
        self._compare.chosen.connect(self.compare_chosen)
        self._fields = ParameterFields(live=live)
        self._fields.parameter_set.connect(self.parameter_set)
        self._buttons = QWidget()
        self._button_row = fill(QHBoxLayout(self._buttons), spacing=6)
        self._rows = ControlRows(self._choices, self._fields, self._buttons, cuts=live)
        self.addWidget(self._rows)
        layout = self.layout()
        assert layout is not None
        spaced(layout, 8)
        dressed(self, lambda bar, theme: bar.setIconSize(QSize(theme.px(18), theme.px(18))))

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """Choices, fields and buttons, as they are read."""
        return *self._choices, self._fields, self._buttons

    def add_command(self, action: QAction, word: str = "") -> None:
        """Add `action` as a button at the right end, with a `word` or its icon alone."""
        button = QToolButton(autoRaise=True)
        if word:
            action.setIconText(word)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setDefaultAction(action)
        button.setIconSize(self.iconSize())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.iconSizeChanged.connect(button.setIconSize)
        self._button_row.addWidget(button)

    def show_titles(self, titles: dict[str, str]) -> None:
        """Show variants under these titles; a variant without one shows its name."""
        self._titles = titles
        self.show_controls(self._controls)

    def show_controls(self, controls: Controls) -> None:
        """Show `controls`, without emitting a choice."""
        self._controls = controls
        self._show_devices(controls)
        variants = [
            (each.name, self._titles.get(each.name, shown_variant(each.name)), each.doc) for each in controls.variants
        ]
        # A script alone leaves no choice.
        is_script = [each.name for each in controls.variants] == [TOP_LEVEL]
        _fill(self._variant, [] if is_script else variants, controls.variant)
        others = [each for each in variants if each[0] != controls.variant]
        if controls.edited and variants:
            tip = self.tr("The same function in the original code, before the edits")
            others.append((ORIGINAL, self.tr("As it was"), tip))
        _fill(self._compare, [("", self.tr("nothing"), ""), *others], controls.compare)
        self._variant.setEnabled(bool(variants))
        self._compare.setEnabled(bool(others))
        self._fields.show_parameters(controls.parameters)
        self._rows.lay_out()

    def _show_devices(self, controls: Controls) -> None:
        """Show the devices where the program runs, and the way to other remotes."""
        entries: list[tuple[str, str, str]] = []
        here = self.tr("this Python")
        for remote in ("", *controls.remotes):
            at = f" · {remote or here}" if controls.remotes else ""
            if remote == controls.remote:
                now = [(device.id, f"{device.id}{at}", device.kind) for device in controls.devices]
                entries += now or [("", self.tr("starting") + at, "")]
            else:
                entries.append((AT + remote, remote or here, ""))
        tip = self.tr("In another Python, over ssh, or by any command that starts a Python with jax")
        entries.append((ELSEWHERE, self.tr("Elsewhere…"), tip))
        _fill(self._device, entries, controls.device)

    def _on_device(self, chosen: str) -> None:
        if chosen == ELSEWHERE:
            self.elsewhere_wanted.emit()
        elif chosen.startswith(AT):
            self.remote_chosen.emit(chosen.removeprefix(AT))
        elif chosen:
            self.device_chosen.emit(chosen)
        self.show_controls(self._controls)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - LINE, self.width(), LINE, self.palette().mid())
        painter.end()

    def apply_theme(self, _theme: Theme) -> None:
        self._fields.fit()
        self._rows.lay_out()


def _named(box: TitleBox, name: str, tip: str) -> QWidget:
    """Return `box` with its `name` in front."""
    line, label = QWidget(), QLabel(name)
    box.setAccessibleName(name)
    box.show_tip(tip)
    label.setBuddy(box)
    fill(QHBoxLayout(line), label, box, spacing=6)
    return line


def _fill(combo: TitleBox, entries: list[tuple[str, str, str]], chosen: str) -> None:
    """Show `entries` of (data, text, tooltip) with `chosen` selected; leave the box alone where they are unchanged."""
    present = [(combo.itemData(row), combo.itemText(row)) for row in range(combo.count())]
    with QSignalBlocker(combo):
        if present != [(data, text) for data, text, _ in entries]:
            combo.clear()
            for data, text, tip in entries:
                combo.addItem(text, data)
                combo.setItemData(combo.count() - 1, plain_tip(tip), Qt.ItemDataRole.ToolTipRole)
        row = combo.findData(chosen)
        if row != combo.currentIndex():
            combo.setCurrentIndex(row)
    combo.show_whole()
