"""The thin bar of a presentation in which a lecturer changes variant, comparison, parameters and device."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from explorer.session.controls import Controls
from views.theme import LIGHT, Theme
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
