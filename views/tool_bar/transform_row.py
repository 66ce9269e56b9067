"""TransformRow: the transforms around a variant: chips, options, switches of JAX, and the call to copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import msgspec
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QToolBar, QToolButton, QVBoxLayout, QWidget

from explorer.messages import TOP_LEVEL, Applied, Argument, TransformName, Transforms
from explorer.messages.transform_text import statement_text
from explorer.session.controls import Controls
from views.parts.controls import fill, text_button
from views.parts.flow_row import FlowRow
from views.parts.labels import ElidedLabel
from views.theme import LIGHT, Theme, bar_style, lettered
from views.tool_bar.transform_options import TransformOptions

NAMES: tuple[TransformName, ...] = get_args(TransformName)


class TransformRow(QToolBar):
    """Shows the transforms around the selected variant and emits the user's changes.

    Signals:
        transforms_chosen: the changed Transforms.
    """

    transforms_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("transform_row")
        self.setWindowTitle(self.tr("Transforms"))
        self.setAccessibleName(self.tr("Transforms of the variant"))
        self.setMovable(False)
        self._controls = Controls()
        self._shape: tuple[object, ...] = ()
        self._options: list[TransformOptions] = []
        self.chips = {name: self._chip(name, tip) for name, tip in self._tips().items()}
        self.x64 = self._flag(
            "x64", self.tr("Run everything with 64-bit types: jax.enable_x64(True), for these runs only")
        )
        self.partitionable = self._flag(
            "partitionable",
            self.tr("Draw as JAX does today; off: as versions before 0.5 did, jax.threefry_partitionable(False)"),
        )
        self.call = lettered(ElidedLabel(), code=True)
        self.call.setAccessibleName(self.tr("The call as Python"))
        self.copy = text_button(self.tr("Copy"), self.tr("Copy the call as Python"))
        self._lay_out()
        self._connect()
        self.apply_theme(LIGHT)

    def show_controls(self, controls: Controls) -> None:
        """Show the transforms of `controls`, without emitting a choice."""
        self._controls = controls
        transforms, arguments = controls.transforms, self._arguments()
        order = [each.name for each in transforms.applied]
        is_top_level = controls.variant == TOP_LEVEL
        for name, chip in self.chips.items():
            chip.setChecked(name in order)
            chip.setEnabled(not is_top_level or name in order)
            chip.setText(f"{order.index(name) + 1} {name}" if name in order and len(order) > 1 else name)
        self.x64.setChecked(transforms.x64)
        self.partitionable.setChecked(transforms.partitionable)
        self._show_options(transforms.applied, arguments)
        self.call.show_text(statement_text(controls.variant, arguments, transforms))
        self._second.setVisible(transforms != Transforms() and bool(controls.variant) and not is_top_level)

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"""
            {bar_style(theme)}
            QToolBar {{ padding: 0 {theme.px(8)}px {theme.px(2)}px {theme.px(8)}px; }}
            QToolButton {{ color: {theme.text}; background: {theme.background}; border: 1px solid {theme.hairline};
                           border-radius: {theme.px(4)}px; padding: {theme.px(1)}px {theme.px(7)}px; }}
            QToolButton[flat="true"] {{ padding: 0 {theme.px(7)}px; }}
            QCheckBox::indicator {{ width: {theme.px(10)}px; height: {theme.px(10)}px; border-radius: {theme.px(2)}px;
                                    border: {theme.px(2)}px solid {theme.dim}; }}
            QCheckBox::indicator:checked {{ background: {theme.focus}; }}
            QCheckBox:focus {{ color: {theme.focus}; }}
            QToolButton:hover, QToolButton:focus {{ border-color: {theme.focus}; }}
            QToolButton:checked {{ color: {theme.selection_text}; background: {theme.selection}; }}
        """)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _fit(self) -> None:
        """Set the height to that of the lines in this width, which a tool bar does not request."""
        self._first.setFixedHeight(self._first.heightForWidth(self._first.width()))

    def focus_first(self) -> None:
        self.chips[NAMES[0]].setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- words --------------------------------------------------------------------------------

    def _tips(self) -> dict[TransformName, str]:
        return {
            "jit": self.tr("Compile the variant: jax.jit"),
            "vmap": self.tr("Run it for each example along an axis: jax.vmap"),
            "grad": self.tr("Differentiate it: jax.grad"),
            "jvp": self.tr("Its value and its derivative in the direction of ones: jax.jvp"),
            "checkpoint": self.tr(
                "Recompute values in the backward pass instead of keeping them: jax.checkpoint; visible under grad"
            ),
        }

    # -- what the user does -----------------------------------------------------------------

    def _toggle(self, name: TransformName, wanted: bool) -> None:
        applied = tuple(each for each in self._controls.transforms.applied if each.name != name)
        self._tell(applied=(*applied, Applied(name)) if wanted else applied)

    def _on_option(self, changed: Applied) -> None:
        applied = self._controls.transforms.applied
        self._tell(applied=tuple(changed if each.name == changed.name else each for each in applied))

    def _tell(self, **changes: object) -> None:
        self.transforms_chosen.emit(msgspec.structs.replace(self._controls.transforms, **changes))

    def _copy(self) -> None:
        controls = self._controls
        text = statement_text(controls.variant, self._arguments(), controls.transforms)
        QGuiApplication.clipboard().setText(text)

    # -- parts --------------------------------------------------------------------------------

    def _arguments(self) -> tuple[Argument, ...]:
        controls = self._controls
        return next((each.arguments for each in controls.variants if each.name == controls.variant), ())

    def _show_options(self, applied: tuple[Applied, ...], arguments: tuple[Argument, ...]) -> None:
        asking = [each for each in applied if each.name in ("vmap", "grad", "jvp") and arguments]
        shape = (tuple(each.name for each in asking), arguments)
        if shape != self._shape:
            self._shape = shape
            self._rebuild(asking, arguments)
        for option, each in zip(self._options, asking, strict=True):
            option.show_applied(each)

    def _rebuild(self, asking: list[Applied], arguments: tuple[Argument, ...]) -> None:
        for option in self._options:
            self._first.remove(option)
        self._options = [TransformOptions(each, arguments) for each in asking]
        for option in self._options:
            option.option_chosen.connect(self._on_option)
            self._first.add(option)
        self._fit()

    def _chip(self, name: str, tip: str) -> QToolButton:
        chip = text_button(name, tip)
        chip.setCheckable(True)
        return chip

    def _flag(self, name: str, tip: str) -> QCheckBox:
        # Not a chip: flags hold for every variant, and they have no place in the order.
        box = QCheckBox(name)
        box.setToolTip(tip)
        return box

    def _connect(self) -> None:
        for name, chip in self.chips.items():
            chip.clicked.connect(lambda wanted, name=name: self._toggle(name, wanted))
        self.x64.clicked.connect(lambda wanted: self._tell(x64=wanted))
        self.partitionable.clicked.connect(lambda wanted: self._tell(partitionable=wanted))
        self.copy.clicked.connect(self._copy)

    def _lay_out(self) -> None:
        body = QWidget()
        self._first = FlowRow(spacing=12)
        for group in (tuple(self.chips.values()), (self.x64, self.partitionable)):
            self._first.add(_side_by_side(group))
        self._second = QWidget()
        fill(QHBoxLayout(self._second), (self.call, 1), self.copy, spacing=-1)
        self.copy.setProperty("flat", True)
        fill(QVBoxLayout(body), self._first, self._second, spacing=2)
        self.addWidget(body)


def _side_by_side(widgets: Sequence[QWidget]) -> QWidget:
    group = QWidget()
    fill(QHBoxLayout(group), *widgets, spacing=4)
    return group
