"""Numbers as people read them: in a cell, at the end of a colour bar, under the pointer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def value_words(value: Any, digits: int = 6) -> str:
    """Return one element of an array in up to `digits` significant digits."""
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "infinity" if number > 0 else "-infinity"
    return f"{number:.{digits}g}"
