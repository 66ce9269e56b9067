"""Colours on a weak projector: ``convert -level 15%,85% -modulate 100,70``."""

from __future__ import annotations

import colorsys

from PySide6.QtGui import QColor

DARKEST, BRIGHTEST = 0.15, 0.85
"""The levels of black and white."""
SATURATION = 0.70


def projected(colour: QColor) -> QColor:
    """Return `colour` as it looks on the wall."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    stretched = (min(1.0, max(0.0, (part - DARKEST) / (BRIGHTEST - DARKEST))) for part in parts)
    hue, lightness, saturation = colorsys.rgb_to_hls(*stretched)
    return QColor.fromRgbF(*colorsys.hls_to_rgb(hue, lightness, saturation * SATURATION))
