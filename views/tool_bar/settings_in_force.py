"""SettingsInForce: the settings that no visible control shows, in words, with buttons that undo them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolBar, QWidget

from explorer.messages import Parameter, Transforms
from explorer.session.controls import Controls
from views.parts.controls import fill, text_button
from views.parts.labels import ElidedLabel
from views.theme import Theme, bar_style
from views.tool_bar.parameter_fields import value_text
from views.tool_bar.transform_options import transforms_around


class SettingsInForce(QToolBar):
    """Shows settings that no visible control shows; hidden without any.

    Signals:
        defaults_wanted: the parameters should have their defaults.
        transforms_chosen: empty Transforms.
    """

    defaults_wanted = Signal()
    transforms_chosen = Signal(object)

    def __init__(self, row: QWidget) -> None:
        """Watch whether the `row` of the transforms is hidden."""
        super().__init__()
        self.setObjectName("in_force")
        self.setWindowTitle(self.tr("Settings in force"))
        self.setMovable(False)
        self._controls = Controls()
        self._row = row
        self._given_up = False
        self.words = ElidedLabel()
        tip = self.tr("Sets the parameters to the values in the code")
        self.take_defaults = text_button(self.tr("Use the code's values"), tip)
        self.take_defaults.clicked.connect(self.defaults_wanted)
        tip = self.tr("Shows the program as written, without transforms")
        self.take_off = text_button(self.tr("Remove the transforms"), tip)
        self.take_off.clicked.connect(lambda: self.transforms_chosen.emit(Transforms()))
        self._lay_out()
        row.installEventFilter(self)
        self.hide()

    def show_controls(self, controls: Controls) -> None:
        """Show the settings of `controls` that no visible control shows."""
        self._controls = controls
        self._refresh()

    def give_up(self, given_up: bool) -> None:
        """Leave these settings to the presentation's chips, or show them again."""
        self._given_up = given_up
        self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"""
            {bar_style(theme)}
            QToolBar {{ background: {theme.panel}; padding: 0 {theme.px(8)}px; }}
            QToolButton {{ color: {theme.text}; background: {theme.background}; border: 1px solid {theme.hairline};
                           border-radius: {theme.px(4)}px; padding: {theme.px(1)}px {theme.px(7)}px; }}
            QToolButton:hover, QToolButton:focus {{ border-color: {theme.focus}; }}
        """)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Update when the row is hidden or shown."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._refresh()
        return False

    def _refresh(self) -> None:
        controls = self._controls
        overruled = [each for each in controls.parameters if each.name in controls.overruled]
        transforms = transforms_around(controls, controls.variant) if self._row.isHidden() else []
        sentences = [self._of(each) for each in overruled]
        if transforms:
            sentences.append(self.tr("Applied around the code: {}.").format(", ".join(transforms)))
        self.words.show_text(" ".join(sentences))
        self.take_defaults.setVisible(bool(overruled))
        self.take_off.setVisible(bool(transforms))
        self.setVisible(bool(sentences) and not self._given_up)

    def _of(self, parameter: Parameter) -> str:
        words = self.tr("Runs with {name}={value}; the code says {default}.")
        value, default = value_text(parameter.value), value_text(parameter.default)
        return words.format(name=parameter.name, value=value, default=default)

    def _lay_out(self) -> None:
        body = QWidget()
        fill(QHBoxLayout(body), (self.words, 1), self.take_defaults, self.take_off, spacing=-1)
        self.addWidget(body)
