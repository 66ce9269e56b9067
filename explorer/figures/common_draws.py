"""Keys that several recorded runs drew from, such as the processes of one job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.messages import KeyGraph, Site


class CommonDraws(NamedTuple):
    """Keys that the same places of the same runs drew from."""

    places: tuple[tuple[int, Site], ...]
    """(index of the run, the place that drew), by run."""
    keys: int
    """Number of these keys."""


def common_draws(graphs: Sequence[KeyGraph | None]) -> list[CommonDraws]:
    """Return the keys that more than one of `graphs` drew from, by the places that did, the most keys first.

    Keys are equal if their data and implementation are, as in a single run.
    """
    drawn = [(run, graph) for run, graph in enumerate(graphs) if graph is not None and graph.draw_key.shape[0]]
    if len(drawn) < 2:
        return []
    width = max(graph.data.shape[1] for _, graph in drawn)
    names = sorted({name for _, graph in drawn for name in graph.implementations})
    keys = np.concatenate([_words(graph, width, names) for _, graph in drawn])
    runs = np.concatenate([np.full(graph.draw_key.shape[0], run) for run, graph in drawn])
    sites = np.concatenate([graph.draw_site.numpy() for _, graph in drawn])
    _, same = np.unique(keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).reshape(-1), return_inverse=True)
    order = np.lexsort((sites, runs, same))
    ends = np.flatnonzero(np.diff(same[order], append=-1)) + 1
    starts = np.concatenate(([0], ends[:-1]))
    several = runs[order[starts]] != runs[order[ends - 1]]
    counted: Counter[tuple[tuple[int, int], ...]] = Counter()
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        group = order[start:end]
        counted[tuple(dict.fromkeys(zip(runs[group].tolist(), sites[group].tolist(), strict=True)))] += 1
    by_run = dict(drawn)
    return [
        CommonDraws(tuple((run, by_run[run].sites[site]) for run, site in places), count)
        for places, count in counted.most_common()
    ]


def _words(graph: KeyGraph, width: int, names: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return uint32[draws, 1 + width]: the implementation and the data of each key that is drawn from."""
    keys, data = graph.draw_key.numpy(), graph.data.numpy()
    number = np.array([names.index(name) for name in graph.implementations], np.uint32)
    words = np.zeros((len(keys), 1 + width), np.uint32)
    words[:, 0] = number[graph.implementation.numpy()[keys]]
    words[:, 1 + width - data.shape[1] :] = data[keys]
    return words
