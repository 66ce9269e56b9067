"""Number of examples behind each draw on record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.messages import KeyGraph
from explorer.messages.late_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt


def served_at_once(graph: KeyGraph) -> npt.NDArray[np.int64]:
    """Return the number of examples behind each draw that have no draw of their own on record, int64[draws].

    If some examples of a batch have equal keys, each has its own draw, and each draw serves all of them. If the whole
    batch shares one key, a single draw stands for all examples.
    """
    serves, example = graph.draw_serves.numpy().astype(np.int64), graph.draw_example.numpy()
    among = np.flatnonzero((serves > 1) & (example >= 0))
    if len(among):
        place = graph.draw_key.numpy()[among].astype(np.int64) * len(graph.sites) + graph.draw_site.numpy()[among]
        pairs = np.unique(np.stack([place, example[among]]), axis=1)
        places, examples = np.unique(pairs[0], return_counts=True)
        serves[among] //= np.maximum(examples[np.searchsorted(places, place)], 1)
    return np.maximum(serves, 1)
