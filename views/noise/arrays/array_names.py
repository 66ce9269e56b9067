"""Names of arrays as the person reads them: draws are named by their line."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

LINE = re.compile(r", line (\d+)")


def shown_name(name: str) -> str:
    """Return the array's `name`, such as ``normal, line 4``, in the language of the window."""
    place = QCoreApplication.translate("ArrayNames", ", line {}")
    return LINE.sub(lambda found: place.format(found[1]), name)
