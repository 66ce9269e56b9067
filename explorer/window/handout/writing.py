"""A handout as the bytes of a file, by the file's ending."""

from __future__ import annotations

import pickle

from explorer.window.handout import notebook, paper, web
from explorer.window.handout.records import RECORDS, Handout


def written(handout: Handout, ending: str) -> bytes:
    """Return `handout` as a PDF, a notebook, its records, or else an HTML page."""
    if ending == ".pdf":
        return paper.pdf(handout)
    if ending == ".ipynb":
        return notebook.notebook(handout)
    if ending == RECORDS:
        return pickle.dumps(handout)
    return web.page(handout).encode()


def read(records: bytes) -> Handout:
    """Return the handout whose `records` a process of ours wrote into our own folder: a foreign file could run code."""
    handout = pickle.loads(records)
    assert isinstance(handout, Handout)
    return handout
