"""What every layer of a plot is drawn with."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QPainter

from views.noise.heatmap.cell_geometry import CellGeometry
from views.theme import Theme


@dataclass(frozen=True)
class Paint:
    """A painter, where the cells lie, and the colours."""

    painter: QPainter
    geometry: CellGeometry
    theme: Theme
