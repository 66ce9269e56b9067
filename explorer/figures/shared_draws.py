"""How many examples a draw serves at once, besides those that have a draw of their own in the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.messages import KeyGraph
from explorer.messages.late_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt


def served_at_once(graph: KeyGraph) -> npt.NDArray[np.int64]:
    """Return int64[draws]: how many examples get the numbers of each draw that no other draw is recorded for.

    Where some examples of a batch have equal keys, each has its own draw, and all of these draws serve as many as
    there are of them. Where the whole batch has one key, one draw stands for all.
    """
    serves, example = graph.draw_serves.numpy().astype(np.int64), graph.draw_example.numpy()
    among = np.flatnonzero((serves > 1) & (example >= 0))
    if len(among):
        place = graph.draw_key.numpy()[among].astype(np.int64) * len(graph.sites) + graph.draw_site.numpy()[among]
        pairs = np.unique(np.stack([place, example[among]]), axis=1)
        places, examples = np.unique(pairs[0], return_counts=True)
        serves[among] //= np.maximum(examples[np.searchsorted(places, place)], 1)
    return np.maximum(serves, 1)
