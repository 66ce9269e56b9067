"""Which draw each row of raw noise is."""

from __future__ import annotations

import numpy as np

from explorer.figures.shared_draws import served_at_once
from explorer.messages import KeyGraph, Picture


def draw_of_row(graph: KeyGraph | None, picture: Picture, row: int) -> int | None:
    """Return the index into the draws of `graph` of the one that made `row`; None where `picture` shows no draws.

    A picture of draws holds those of one place in their order, each as often as it serves examples at once.
    """
    if graph is None or picture.role != "draw":
        return None
    for number, site in enumerate(graph.sites):
        if site.operation == "draw" and site.span == picture.span and picture.name.startswith(site.name):
            draws = np.flatnonzero(graph.draw_site.numpy() == number)
            ends = np.cumsum(served_at_once(graph)[draws])
            place = int(np.searchsorted(ends, row, "right"))
            return int(draws[place]) if place < len(draws) else None
    return None
