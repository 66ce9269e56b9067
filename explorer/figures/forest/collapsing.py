"""``KeyFolding``, which keys are drawn: keys inside libraries and long chains are folded; ``depths`` of keys."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.forest.index import KeyIndex
from explorer.figures.key_tally import ends_of

CHAIN_LENGTH = 6
"""Shorter chains of equal steps are not folded."""

Booleans = npt.NDArray[np.bool_]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class KeyFolding(msgspec.Struct, frozen=True):
    """For each of n keys, the key that represents it."""

    shown_in: Int32
    """int32[n]: the representing key: itself, a sampler's key or the first of a folded chain."""
    parent: Int32
    """int32[n]: for each shown key, the shown key above it, -1 for a root; undefined for other keys."""
    steps: Int32
    """int32[n]: number of chain steps folded into a shown key, 0 for an ordinary key."""
    folded: Int32
    """int32[n]: number of library-internal keys folded into a shown key."""

    @property
    def shown(self) -> Booleans:
        """bool[n]: whether the key is drawn."""
        own: Booleans = self.shown_in == np.arange(len(self.shown_in))
        return own


def fold(index: KeyIndex) -> KeyFolding:
    """Return the folding of the graph's keys."""
    owner = index.tally.owner
    parent = np.where(index.parent >= 0, owner[index.parent], -1).astype(np.int32)
    shown = owner == np.arange(index.nodes)
    folded = np.bincount(owner[~shown], minlength=index.nodes).astype(np.int32)
    nothing = KeyFolding(owner, parent, np.zeros_like(owner), folded)
    if depths(parent).max(initial=0) < CHAIN_LENGTH:
        return nothing
    return _with_chains(nothing, _fingerprints(index))


def depths(parent: Int32) -> Int32:
    """Return the depth of each key, int32[n], by pointer doubling (parents precede children)."""
    depth = (parent >= 0).astype(np.int32)
    above = parent.copy()
    going = np.flatnonzero(above >= 0)
    while going.size:
        ancestor = above[going]
        # Both sides are read before either is written: a doubling step must see one generation only.
        depth[going], above[going] = depth[going] + depth[ancestor], above[ancestor]
        going = going[above[going] >= 0]
    return depth


def _fingerprints(index: KeyIndex) -> Int64:
    """Return int64[n]: one random number per pair of state and site.

    Equal sums mean equal multisets of keys, except with a probability of about 1e-9, and sums are fast.
    """
    places = len(index.graph.sites) + 1
    kinds = index.state.astype(np.int64) * places + index.site
    numbers = np.random.default_rng(0).integers(1, 2**32, size=(int(index.state.max()) + 1) * places)
    prints: Int64 = numbers[kinds]
    return prints


def _with_chains(folding: KeyFolding, prints: Int64) -> KeyFolding:
    """Return `folding` with each run of equal steps folded into the second key of the run.

    The first and the last key of a run stay visible, so that both ends of a chain can be read.
    """
    shown = folding.shown
    heir, content = _heirs(folding.parent, shown, prints)
    # Whether a key and its heir are equal steps of one chain.
    like_next = (heir >= 0) & (content == content[heir])
    first, place = _runs(folding.parent, heir, like_next)
    length = np.bincount(first, minlength=len(first))[first]
    inner = shown & (length >= CHAIN_LENGTH) & (place > 0) & (place < length - 1)
    spine = np.where(inner, heir[first], -1).astype(np.int32)
    standing = _standing(folding.parent, shown, heir, spine)
    above = np.where(folding.parent >= 0, spine[folding.parent], -1)
    parent = np.where((spine < 0) & (above >= 0), above, folding.parent).astype(np.int32)
    steps = np.bincount(spine[inner], minlength=len(spine)).astype(np.int32)
    return KeyFolding(standing[folding.shown_in], parent, steps, folding.folded)


def _heirs(parent: Int32, shown: Booleans, prints: Int64) -> tuple[Int32, Int64]:
    """Return the heir of each key, int32[n], -1 for none, and sums of fingerprints, int64[n].

    The heir is the child with the longest line of descendants. The sum covers a key and its descendants, without those
    of its heir.
    """
    above, total = parent.tolist(), prints.tolist()
    height, heir = [0] * len(above), [-1] * len(above)
    # One plain loop, children before parents: a loop over levels is far slower in a deep chain.
    for key in np.flatnonzero(shown & (parent >= 0))[::-1].tolist():
        over = above[key]
        total[over] += total[key]
        if height[key] >= height[over]:
            height[over] = height[key] + 1
            heir[over] = key
    heirs, totals = np.array(heir, np.int32), np.array(total, np.int64)
    return heirs, totals - np.where(heirs >= 0, totals[heirs], 0)


def _runs(parent: Int32, heir: Int32, like_next: Booleans) -> tuple[Int32, Int32]:
    """Return (first key of the run, index in the run) of each key, int32[n] both."""
    own = np.arange(len(parent), dtype=np.int32)
    follows = (parent >= 0) & like_next[parent] & (heir[parent] == own)
    before = np.where(follows, parent, -1).astype(np.int32)
    return ends_of(np.where(follows, parent, own).astype(np.int32)), depths(before)


def _standing(parent: Int32, shown: Booleans, heir: Int32, spine: Int32) -> Int32:
    """Return int32[n]: the key that represents each shown key after the chains in `spine` are folded."""
    own = np.arange(len(parent), dtype=np.int32)
    goes_on = (parent >= 0) & (spine[parent] >= 0) & (heir[parent] == own)
    ends = ~shown | (parent < 0) | (spine >= 0) | goes_on
    end = ends_of(np.where(ends, own, parent).astype(np.int32))
    return np.where(spine[end] >= 0, spine[end], own).astype(np.int32)
