"""drawings(): the printed keys pane, the tree of each variant by itself, with a legend."""

from __future__ import annotations

from PySide6.QtCore import QSizeF
from PySide6.QtWidgets import QWidget

from explorer.messages import Snapshot
from views.keys.key_half import KeyHalf
from views.keys.symbols import key_legend, legend_entries
from views.parts.drawing import Drawing, below_each_other, of_widget, trimmed
from views.theme import Theme, apply_to_tree

SIZE = (480, 340)
GAP = 8


def drawings(snapshot: Snapshot, theme: Theme) -> tuple[Drawing, ...]:
    """Return a picture for each variant of `snapshot` that makes keys."""
    reports = snapshot.reports[:2]
    holder = QWidget()
    halves = [KeyHalf(holder) for _ in reports]
    for half, report in zip(halves, reports, strict=True):
        half.apply_theme(theme)
        half.on_paper = True
        half.take_meaning(report)
        half.show_report(report, snapshot)
    for half in halves:
        _place(half.canvas, *SIZE)
    for half, other in zip(halves, reversed(halves), strict=True):
        half.canvas.set_other(other.canvas.picture)
    found = [_drawing(holder, half, theme, several=len(halves) > 1) for half in halves]
    return tuple(each for each in found if each is not None)


def _drawing(holder: QWidget, half: KeyHalf, theme: Theme, *, several: bool) -> Drawing | None:
    if not half.states():
        return None
    legend = key_legend(holder)
    apply_to_tree(legend, half.worn)
    legend.show_entries(legend_entries(half.states()))
    _place(legend, SIZE[0], legend.heightForWidth(SIZE[0]))
    caption = " ".join([f"{half.verdict}.", *half.notes()])
    title = half.name if several else ""
    tree = trimmed(Drawing("keys", title, caption, QSizeF(*SIZE), of_widget(half.canvas, holder), theme))
    signs = Drawing("", "", "", QSizeF(legend.size()), of_widget(legend), theme)
    return below_each_other(tree, signs, GAP) if tree is not None else None


def _place(widget: QWidget, width: int, height: int) -> None:
    """Set the size of `widget`, which is never on a screen."""
    widget.setParent(None)
    widget.resize(width, height)
    widget.grab()
