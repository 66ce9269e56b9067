"""Drafts left by another window."""

from __future__ import annotations

from explorer.library.drafts import Drafts


def leave(target: str, source: str) -> None:
    """Keep `source` as the draft of `target` in a window that has ended."""
    window = Drafts()
    window.keep(target, source)
    window.close()
