"""The chip on a variant that shows its transforms, whether or not their row is open."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QToolButton

from explorer.messages import TOP_LEVEL
from explorer.session.controls import Controls
from views.theme import Theme


class TransformChip(QToolButton):
    """Shows the transforms around the variant; hidden without any."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setObjectName("transform_chip")
        self.hide()

    def show_controls(self, controls: Controls) -> None:
        """Show the transforms around the variant of `controls`."""
        self.setText(" · ".join(transforms_around(controls, "…")))
        transforms = ", ".join(transforms_around(controls, controls.variant))
        self.setToolTip(self.tr("Applied around the variant: {}. Click to show the transforms.").format(transforms))
        self.setAccessibleName(self.tr("Applied: {}").format(transforms))
        self.setVisible(bool(transforms))

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(chip_style(theme))


def transforms_around(controls: Controls, name: str) -> list[str]:
    """Return the transforms around `name` as a call, such as ``jit(vmap(name))``, and the flags; empty for none."""
    transforms, called = controls.transforms, name
    applied = transforms.applied if controls.variant != TOP_LEVEL else ()
    for each in applied:
        called = f"{each.name}({called})"
    not_partitionable = QCoreApplication.translate("InForce", "not partitionable")
    flags = ["x64"] * transforms.x64 + [not_partitionable] * (not transforms.partitionable)
    return [*([called] if applied else []), *flags]


def chip_style(theme: Theme) -> str:
    """Return the style of a chip: edge and words in the colour of deviations."""
    return f"""
        QToolButton {{ color: {theme.note}; background: {theme.background}; border: 1px solid {theme.note};
                       border-radius: {theme.px(8)}px; padding: {theme.px(1)}px {theme.px(8)}px; }}
        QToolButton:hover, QToolButton:focus {{ border: 2px solid {theme.focus}; }}
    """
