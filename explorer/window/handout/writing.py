"""A handout as the bytes of a file, by the file's ending."""

from __future__ import annotations

from explorer.window.handout import notebook, paper, web
from explorer.window.handout.records import Handout


def written(handout: Handout, ending: str) -> bytes:
    """Return `handout` as a PDF, a notebook, or else an HTML page."""
    if ending == ".pdf":
        return paper.pdf(handout)
    if ending == ".ipynb":
        return notebook.notebook(handout)
    return web.page(handout).encode()
