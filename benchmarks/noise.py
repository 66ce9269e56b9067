"""The frame rate of the noise pane: a 4096 x 4096 heatmap while panning, and while a focus appears and disappears."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.compare import Comparison

FRAME_S = 1 / 60
SIZE = (390, 290)
LARGE = (1300, 850)
STEPS = 60


def compare(repeats: int) -> list[Comparison]:
    """Return the frames of panning and of a moving focus, next to one frame at 60 Hz."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from explorer import app
    from explorer.library.settings import Settings

    application = app.make_application(Settings())
    matrix = np.random.default_rng(0).normal(size=(4096, 4096)).astype(np.float32)
    found = []
    for name, size in (("small", SIZE), ("large", LARGE)):
        view = _view(matrix, size, application)
        heatmap = view.halves[0].heatmap
        for words, cells in (("all of it", 4096), ("a quarter", 1024), ("cell by pixel", size[1])):
            what = f"4096 x 4096 in a {name} pane: pan {words} / frame of 60 Hz"
            found.append(_comparison(what, _frames(_pan(heatmap, cells), heatmap, repeats)))
        view.close()
        view = _view(matrix[:1024, :1024], size, application)
        what = f"1024 x 1024 in a {name} pane: focus to paint / frame of 60 Hz"
        found.append(_comparison(what, _frames(_marks(view), view.halves[0].heatmap, repeats)))
        view.close()
    return found


def _comparison(what: str, frames: list[float]) -> Comparison:
    return Comparison(what, frames, [FRAME_S] * len(frames), 1.0)


def _view(matrix: Any, size: tuple[int, int], application: Any) -> Any:
    from explorer.messages import Array, Picture, Report, Snapshot
    from views import theme
    from views.noise.noise_view import NoiseView

    groups = Array.of(np.arange(len(matrix)), np.int32)
    picture = Picture(
        *("output", "output", matrix.shape, "float32", Array.of(matrix), 0, groups, len(matrix), "all different"),
        low=float(matrix.min()),
        high=float(matrix.max()),
    )
    view = NoiseView()
    view.apply_theme(theme.LIGHT)
    view.resize(*size)
    view.show()
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("run", "ok", pictures=(picture,)),)))
    application.processEvents()
    return view


def _pan(heatmap: Any, cells: int) -> Callable[[int], None]:
    from views.noise.heatmap.cell_geometry import CellWindow

    def step(number: int) -> None:
        start = min(4096 - cells, 11 * number)
        heatmap.show_window(CellWindow(start, start + cells, start, start + cells))

    return step


def _marks(view: Any) -> Callable[[int], None]:
    from explorer.messages import Marks

    def step(number: int) -> None:
        view.show_marks(Marks(rows={"run": frozenset({17 * number})}))

    return step


def _frames(step: Callable[[int], None], widget: Any, repeats: int) -> list[float]:
    """Return the seconds that each step and the painting after it take."""
    frames = []
    for number in range(STEPS * repeats // 9 + 1):
        started = time.perf_counter()
        step(number)
        widget.repaint()
        frames.append(time.perf_counter() - started)
    return frames[1:]
