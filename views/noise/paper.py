"""drawings(): the printed noise pane, a picture for each variant on one scale; instead(): words without one."""

from __future__ import annotations

from PySide6.QtCore import QSizeF

from explorer.messages import Snapshot
from views.noise.noise_half import NoiseHalf
from views.noise.noise_view import NoiseView
from views.parts.drawing import Drawing, below_each_other, of_widget, trimmed
from views.theme import Theme, apply_to_tree

WIDTH = 440
ROW_PX, LEAST_PX, MOST_PX = 14, 90, 270
"""Height of a row of a heatmap, and of the picture at least and at most."""
GAP = 6


def drawings(shown: NoiseView, snapshot: Snapshot, theme: Theme) -> tuple[Drawing, ...]:
    """Return a picture for each variant of `snapshot` that has one, as `shown` shows it."""
    view, halves = _printed(shown, snapshot, theme)
    found = [_drawing(view, half, theme) for half in halves]
    return tuple(each for each in found if each is not None)


def instead(shown: NoiseView, snapshot: Snapshot, theme: Theme) -> tuple[str, ...]:
    """Return the texts of `shown` for the variants without a picture: a single value, or the reason."""
    _, halves = _printed(shown, snapshot, theme)
    return tuple(
        ": ".join(filter(None, (half.accessibleName(), _name(half), _sentence(half.words))))
        for half in halves
        if half.page is None
    )


def _printed(shown: NoiseView, snapshot: Snapshot, theme: Theme) -> tuple[NoiseView, tuple[NoiseHalf, ...]]:
    """Return a view as `shown`, never on a screen, and its halves for the variants of `snapshot`."""
    view = NoiseView()
    apply_to_tree(view, theme)
    view.take_over(shown)
    view.show_snapshot(snapshot)
    return view, view.halves[: max(1, len(snapshot.reports[:2]))]


def _drawing(view: NoiseView, half: NoiseHalf, theme: Theme) -> Drawing | None:
    page, picture = half.page, half.picture
    if page is None or picture is None:
        return None
    page.setParent(None)
    rows = picture.values.shape[0] if half.mode == "heatmap" else MOST_PX // ROW_PX
    page.resize(WIDTH, max(LEAST_PX, min(MOST_PX, rows * ROW_PX + 24)))
    page.grab()
    # How much of it is drawn is known now.
    cells = half.mode in ("heatmap", "images")
    verdict = ": ".join(filter(None, (_name(half), _sentence(half.head))))
    caption = " ".join(filter(None, (verdict, half.notes)))
    size, paint = QSizeF(page.size()), of_widget(page, view)
    whole = Drawing("noise", half.accessibleName(), caption, size, paint, theme, has_cells=cells)
    bar = None
    if page.scale is not None:
        view.bar.setParent(None)
        view.bar.resize(WIDTH, view.bar.sizeHint().height())
        bar = Drawing("", "", "", QSizeF(view.bar.size()), of_widget(view.bar), theme, has_cells=True)
    found = trimmed(whole)
    return below_each_other(found, bar, GAP) if found is not None else None


def _name(half: NoiseHalf) -> str:
    """Return the name of the array; empty where it is the only one, or where its axes identify it."""
    picture = half.picture
    return "" if picture is None or picture.name == "output" or half.mode == "scatter" else str(picture.name)


def _sentence(words: str) -> str:
    return f"{words}." if words and words[-1] not in ".?!:" else words
