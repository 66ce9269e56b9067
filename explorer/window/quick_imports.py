"""begin() makes imports faster: PySide no longer reads the source of each imported module."""

from __future__ import annotations

import sys
from typing import Any

import PySide6.QtCore  # noqa: F401  # brings the module below


def begin() -> None:
    """Keep PySide from reading the source of each module imported from here on: a tenth of the window's start.

    It looks for its own name there, for ``from __feature__ import``, which nothing here uses (PYSIDE-2029). Without the
    function in question, another version of PySide reads on.
    """
    features: Any = sys.modules.get("shibokensupport.feature")
    if hasattr(features, "_mod_uses_pyside"):
        features._mod_uses_pyside = lambda _module: True
