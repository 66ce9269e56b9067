"""Limits on the keys and places that one finding names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.messages import Place
from explorer.worker.lineage.misuse.site_description import MAX_PLACES

MAX_KEYS = 1000
"""Largest number of keys that one finding names."""


def sample_keys(keys: Integers) -> tuple[int, ...]:
    """Return the first distinct `keys`."""
    return tuple(np.unique(keys)[:MAX_KEYS].tolist())


def sample_places(places: Sequence[Place]) -> tuple[Place, ...]:
    """Return the first of `places` of each role."""
    roles = dict.fromkeys(place.role for place in places)
    return tuple(place for role in roles for place in [each for each in places if each.role == role][:MAX_PLACES])
