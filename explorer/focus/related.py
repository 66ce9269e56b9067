"""Relations within one run: lines to keys and loops, keys to lines and examples, examples to keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.figures.key_tally import served_at_once
from explorer.messages import LOOPS, Focus, KeyGraph, Snapshot
from explorer.messages.lazy_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt


MAX_MARKED = 1000
"""Most keys or rows that are marked; with more the marks would show nothing."""

NONE: frozenset[int] = frozenset()


def keys_of_lines(graph: KeyGraph | None, lines: frozenset[int]) -> frozenset[int]:
    """Return the keys drawn from on `lines`; where there are none, the keys made there."""
    if graph is None or not lines:
        return NONE
    sites = [place for place, site in enumerate(graph.sites) if site.span and site.span.shown_line in lines]
    if not sites:
        return NONE
    drawn = graph.draw_key.numpy()[np.isin(graph.draw_site.numpy(), sites)]
    return _few(drawn, graph.nodes) or _few(np.flatnonzero(np.isin(graph.site.numpy(), sites)), graph.nodes)


def lines_of_keys(graph: KeyGraph | None, keys: frozenset[int]) -> frozenset[int]:
    """Return the lines where `keys` were made and spent."""
    if graph is None or not keys:
        return NONE
    wanted = sorted(keys)
    spent = graph.draw_site.numpy()[np.isin(graph.draw_key.numpy(), wanted)]
    split = graph.split_site.numpy()[np.isin(graph.split_key.numpy(), wanted)]
    made = graph.site.numpy()[wanted]
    of_it = graph.site.numpy()[np.isin(graph.parent.numpy(), wanted)]
    sites = {int(site) for site in np.unique(np.concatenate([spent, split, made, of_it])) if site >= 0}
    return frozenset(span.shown_line for span in (graph.sites[site].span for site in sites) if span) - {0}


def keys_of_row(graph: KeyGraph | None, row: int) -> frozenset[int]:
    """Return the keys that draw for example `row`: its own keys and those that serve every example."""
    if graph is None:
        return NONE
    shared = served_at_once(graph)
    serves = (graph.draw_example.numpy() == row) | ((shared > 1) & (shared > row))
    return _few(graph.draw_key.numpy()[serves], graph.nodes)


def rows_of_keys(graph: KeyGraph | None, keys: frozenset[int]) -> frozenset[int]:
    """Return the examples that draws from `keys` serve."""
    if graph is None or not keys:
        return NONE
    return rows_of_draws(graph, np.flatnonzero(np.isin(graph.draw_key.numpy(), sorted(keys))))


def rows_of_draws(graph: KeyGraph, draws: npt.NDArray[np.intp]) -> frozenset[int]:
    """Return the examples that `draws` serve."""
    own = graph.draw_example.numpy()[draws]
    shared = int(served_at_once(graph)[draws].max(initial=0))
    served = _few(own[own >= 0], int(own.max(initial=0)) + 1)
    return served | (frozenset(range(min(shared, MAX_MARKED))) if shared > 1 else NONE)


def _few(indices: npt.NDArray[np.integer], count: int) -> frozenset[int]:
    """Return the different `indices`, all less than `count`; none of them where they are too many to mark."""
    hit = np.zeros(count, bool)
    hit[indices] = True
    if np.count_nonzero(hit) > MAX_MARKED:
        return NONE
    return frozenset(np.flatnonzero(hit).tolist())


def with_loop(focus: Focus | None, snapshot: Snapshot | None) -> Focus | None:
    """Return a focus on the outermost loop that begins on the line of `focus`; any other focus unchanged."""
    if focus is not None and focus.kind == "line" and snapshot is not None:
        for report in snapshot.reports:
            for index, each in enumerate(report.program.equations if report.program else ()):
                if each.primitive in LOOPS and each.span and each.span.line == focus.index:
                    return Focus("equation", index, report.name)
    return focus
