"""StripRow: folded panes as strips: number, name and verdict of each, opened by a click or its digit."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from views.parts.controls import fill
from views.parts.labels import ElidedLabel
from views.parts.own_document import plain_tip
from views.theme import DIM_TEXT, Theme, lettered, spaced


class PaneStrip(QFrame):
    """One strip.

    Signals:
        wanted: the name of its pane, which the user wants to open.
    """

    wanted = Signal(str)

    def __init__(self, name: str, number: str, title: str) -> None:
        super().__init__()
        self._name = name
        self._title = lettered(QLabel(f"{number} {title}".strip(), textFormat=Qt.TextFormat.PlainText), bold=True)
        self._verdict = ElidedLabel()
        self._verdict.setForegroundRole(DIM_TEXT)
        spaced(fill(QHBoxLayout(self), self._title, (self._verdict, 1)), 8, 3, 8, 3, spacing=8)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(title)

    def show_title(self, title: str) -> None:
        """Call it `title`, which begins with its number where it has one."""
        self._title.setText(title)
        self.setAccessibleName(title.lstrip("0123456789 "))

    def show_verdict(self, verdict: str) -> None:
        """Show `verdict` next to the name."""
        self._verdict.show_text(verdict)
        self.setAccessibleDescription(verdict)
        self.setToolTip(plain_tip(verdict))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.wanted.emit(self._name)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.wanted.emit(self._name)
        else:
            super().keyPressEvent(event)


class StripRow(QWidget):
    """The strips of all folded panes, side by side.

    Signals:
        wanted: the name of the pane to open.
    """

    wanted = Signal(str)

    def __init__(self, titles: dict[str, tuple[str, str]]) -> None:
        """Make one for each of `titles`: by name, number and title."""
        super().__init__()
        self._covered: AbstractSet[str] = frozenset()
        self._verdicts = dict.fromkeys(titles, "")
        self._strips = {name: PaneStrip(name, number, title) for name, (number, title) in titles.items()}
        layout = spaced(QHBoxLayout(self), 4, 3, 4, 3, spacing=4)
        for strip in self._strips.values():
            strip.wanted.connect(self.wanted)
            layout.addWidget(strip, 1)
        self.setAccessibleName(self.tr("Folded panes"))

    def show_folded(self, names: Iterable[str]) -> None:
        """Show the strips of `names` and no others."""
        folded = frozenset(names)
        for name, strip in self._strips.items():
            strip.setVisible(name in folded)
        self.setVisible(bool(folded))

    def of(self, name: str) -> PaneStrip:
        return self._strips[name]

    def show_verdict(self, name: str, verdict: str) -> None:
        """Show `verdict` on the strip of `name`, once it may be known."""
        self._verdicts[name] = verdict
        self._tell(name)

    def cover(self, covered: AbstractSet[str]) -> None:
        """Hide the verdicts of the panes `covered`, which would answer a question; show the others."""
        self._covered = covered
        for name in self._strips:
            self._tell(name)

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"""
            PaneStrip {{ border: 1px solid {theme.edge}; border-radius: {theme.px(4)}px; }}
            PaneStrip:focus {{ border: 2px solid {theme.focus}; }}
        """)

    def _tell(self, name: str) -> None:
        verdict = self.tr("after your answer") if name in self._covered else self._verdicts[name]
        self._strips[name].show_verdict(verdict)
