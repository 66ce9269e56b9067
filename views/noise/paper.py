"""What the noise pane prints: the picture of each variant by itself, all on one scale."""

from __future__ import annotations

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QPainter

from explorer.messages import Snapshot
from views.noise.half import NoiseHalf
from views.noise.noise_view import NoiseView
from views.parts.paper.drawing import Drawing, below_each_other, of_widget, trimmed
from views.theme import Theme

WIDTH = 440
ROW_PX, LEAST_PX, MOST_PX = 14, 90, 270
"""Height of a row of a heatmap, and of the picture at least and at most."""
GAP = 6


def drawings(shown: NoiseView, snapshot: Snapshot, theme: Theme) -> tuple[Drawing, ...]:
    """Return a picture for each variant of `snapshot` that has one, as `shown` shows it."""
    view = NoiseView()
    view.apply_theme(theme)
    view.take_over(shown)
    view.show_snapshot(snapshot)
    found = [_drawing(view, half, theme) for half in view.halves[: max(1, len(snapshot.reports[:2]))]]
    return tuple(each for each in found if each is not None)


def _drawing(view: NoiseView, half: NoiseHalf, theme: Theme) -> Drawing | None:
    page, picture = half.page, half.picture
    if page is None or picture is None:
        return None
    page.setParent(None)
    rows = picture.values.shape[0] if half.mode == "heatmap" else MOST_PX // ROW_PX
    page.resize(WIDTH, max(LEAST_PX, min(MOST_PX, rows * ROW_PX + 24)))
    page.grab()
    # How much of it is drawn is known now.
    caption = " ".join(filter(None, (_sentence(half.head), half.notes)))

    def paint(painter: QPainter, _owner: NoiseView = view) -> None:
        of_widget(page)(painter)

    whole = Drawing("noise", half.accessibleName(), caption, QSizeF(page.size()), paint, theme, has_cells=True)
    bar = None
    if page.scale is not None:
        view.bar.setParent(None)
        view.bar.resize(WIDTH, view.bar.sizeHint().height())
        bar = Drawing("", "", "", QSizeF(view.bar.size()), of_widget(view.bar), theme, has_cells=True)
    found = trimmed(whole)
    return below_each_other(found, bar, GAP) if found is not None else None


def _sentence(words: str) -> str:
    return f"{words}." if words and words[-1] not in ".?!:" else words
