"""The bars at the foot of the stage: a strip of variant and parameters, chips that undo changes and transforms."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

from explorer.session.controls import Controls
from views.parts.flow_row import FlowRow
from views.theme import LIGHT, Theme, bar_style
from views.tool_bar.control_bar import ControlBar
from views.window.tab_order import takers

SIZE = 0.76
"""Size of its letters relative to words: legible from the back row, and all fit in one line of a wide stage."""


class ParameterStrip(ControlBar):
    """The controls without buttons. A value counts once Enter is pressed; Tab stays among the controls."""

    def __init__(self) -> None:
        super().__init__(live=False)
        self._font = LIGHT.font()
        self.setObjectName("parameter_strip")
        self.setWindowTitle(self.tr("Parameter strip"))
        self.setAccessibleName(self.tr("Parameter strip"))
        self.hide()

    def open(self) -> None:
        """Come up with the keyboard in the first field; without parameters in the choice of the variant."""
        self.show()
        if not self._fields.focus_first():
            self._variant.setFocus()

    def put_away(self) -> None:
        """Hide the strip, and drop half-typed input."""
        self._fields.forget_typed()
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        self._font = theme.font(SIZE)
        self._wear_font()
        super().apply_theme(theme)

    def show_controls(self, controls: Controls) -> None:
        """Show `controls`; fields that are new get the letters of the others."""
        super().show_controls(controls)
        self._wear_font()

    def _wear_font(self) -> None:
        # Under a style sheet the parts of a bar do not follow it.
        for part in self.findChildren(QWidget):
            if part.font() != self._font:
                part.setFont(self._font)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Let Tab cycle through the fields."""
        order, here = takers(self), self.window().focusWidget()
        if here not in order:
            return super().focusNextPrevChild(forward)
        order[(order.index(here) + (1 if forward else -1)) % len(order)].setFocus()
        return True


class Deviation(msgspec.Struct, frozen=True):
    """Something that is not as the lesson has it."""

    name: str
    """The name of the parameter or of the choice, such as the variant."""
    value: str
    lesson_value: str
    """The lesson's value."""


class StageChips(QToolBar):
    """Hidden while all is as the lesson has it.

    Signals:
        back_wanted: all should be as the lesson has it.
        off_wanted: no transforms should be in force.
    """

    back_wanted = Signal()
    off_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stage_chips")
        self.setWindowTitle(self.tr("Differences from the lesson"))
        self.setMovable(False)
        self._differences: Sequence[Deviation] = ()
        self._of_lesson = True
        self.back, self.off = _chip(), _chip()
        self.back.clicked.connect(self.back_wanted)
        self.off.clicked.connect(self.off_wanted)
        self._row = FlowRow(spacing=8)
        for chip in (self.back, self.off):
            self._row.add(chip)
        self.addWidget(self._row)
        self.hide()

    def show_differences(self, differences: Sequence[Deviation], *, of_lesson: bool) -> None:
        """Show `differences` from the lesson, or without a lesson from the code."""
        self._differences, self._of_lesson = differences, of_lesson
        self.back.setVisible(bool(differences))
        self._write()
        self._come_or_go()

    def show_transforms(self, around: Sequence[str]) -> None:
        """Show the transforms `around` the variant; hidden without any."""
        words = self.tr("applied: {} · remove").format(" · ".join(around))
        self.off.setText(words)
        self.off.setToolTip(self.tr("Shows the program as written, without transforms"))
        self.off.setAccessibleName(words)
        self.off.setVisible(bool(around))
        self._come_or_go()

    def apply_theme(self, theme: Theme) -> None:
        bar = f"QToolBar {{ background: {theme.panel}; border: none; }}"
        self.setStyleSheet(f"{bar_style(theme)} {bar} {_style(theme)}")
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()
        self._row.setFixedHeight(self._row.heightForWidth(self._row.width()))

    def _come_or_go(self) -> None:
        self.setVisible(not (self.back.isHidden() and self.off.isHidden()))
        self._row.setFixedHeight(self._row.heightForWidth(max(1, self._row.width())))

    def _write(self) -> None:
        """Show as many chips as there is room for; the tool tip has all."""
        if not self._differences:
            return
        whole = self._words(self._differences)
        few = self.tr("{count} choices differ · reset").format(count=len(self._differences))
        if not self._of_lesson:
            few = self.tr("{count} parameters differ · reset").format(count=len(self._differences))
        room = self.width() - 4 * self.fontMetrics().averageCharWidth()
        fits = len(self._differences) == 1 or self.fontMetrics().horizontalAdvance(whole) <= room
        self.back.setText(whole if fits else few)
        self.back.setToolTip("\n".join((whole, self.tr("Click or press R to reset"))))
        self.back.setAccessibleName(whole)

    def _words(self, differences: Sequence[Deviation]) -> str:
        says = self.tr("lesson says {}") if self._of_lesson else self.tr("the code says {}")
        texts = (f"{each.name} {each.value} · {says.format(each.lesson_value)}" for each in differences)
        return " · ".join((*texts, self.tr("reset")))


def _chip() -> QToolButton:
    chip = QToolButton()
    chip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    chip.hide()
    return chip


def _style(theme: Theme) -> str:
    """Return the style of a chip: edge and words in the colour of deviations."""
    return f"""
        QToolButton {{ color: {theme.note}; background: {theme.background}; border: 1px solid {theme.note};
                       border-radius: {theme.px(8)}px; padding: {theme.px(1)}px {theme.px(8)}px; }}
        QToolButton:hover, QToolButton:focus {{ border: 2px solid {theme.focus}; }}
    """
