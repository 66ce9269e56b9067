"""A lens that the product does not have, added as any new one would be, without changes elsewhere."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from explorer.messages.lenses import LENSES, LensSpec
from explorer.text.text import verbatim

SIZES = LensSpec("sizes", name=verbatim("sizes"), tip=verbatim("How large it is"))


def add(monkeypatch: pytest.MonkeyPatch, module: str = "", **contents: Any) -> None:
    """Let there be the lens, and a module of it with this name."""
    monkeypatch.setitem(LENSES, SIZES.id, SIZES)
    if module:
        made = ModuleType(module)
        vars(made).update(contents)
        monkeypatch.setitem(sys.modules, module, made)
