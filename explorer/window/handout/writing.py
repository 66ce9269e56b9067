"""A handout as the bytes of a file, by the file's ending."""

from __future__ import annotations

from explorer.window.handout import web
from explorer.window.handout.records import Handout


def written(handout: Handout, ending: str) -> bytes:
    """Return `handout` as a page for a browser."""
    return web.page(handout).encode()
