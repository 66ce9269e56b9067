"""Arrays and numbers in words: names in lists, values in cells, at colour bars and under the pointer."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from explorer.text.text import Text

LINE = re.compile(r", line (\d+)")


def shown_name(name: Text | str) -> str:
    """Return the array's `name`, such as ``normal, line 4``, in the language of the window."""
    place = QCoreApplication.translate("ArrayNames", ", line {}")
    shown = LINE.sub(lambda found: place.format(found[1]), str(name))
    if str(name).startswith("bernoulli,"):
        # Its probability is not on record, so the draw is shown as it is before it is compared.
        return QCoreApplication.translate("ArrayNames", "{} (uniform, before < p)").format(shown)
    return shown


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
