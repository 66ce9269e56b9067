from __future__ import annotations

from tests.views.program.conftest import view

__all__ = ["view"]
