"""Descriptions of a variable's value: type, range and non-finite values; for keys, their data."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import Picture
from explorer.text.text import Text, joined, say

MOST_KEYS = 4
"""Number of keys that are written out."""


def verdict(aval: Any, array: Any, picture: Picture) -> Text:
    """Return a one-line description of `array`: ``c: f32[32,10] from -2.1 to 3.4, no NaN``."""
    title = joined(": ", (picture.name, aval.str_short(short_dtypes=True)))
    if jnp.issubdtype(aval.dtype, jax.dtypes.prng_key):
        return joined(" ", (title, _hexadecimal(np.asarray(jax.random.key_data(array)))))
    if 0 in picture.shape:
        return say("{title} without any values", title=title)
    if not picture.shape:
        return joined(" = ", (title, f"{picture.values.numpy()[()]}"))
    if picture.dtype == "bool":
        shown = picture.values.numpy()
        return say("{title}, {true} of {all} true", title=title, true=f"{int(shown.sum()):,}", all=f"{shown.size:,}")
    words = say("{title} from {low} to {high}", title=title, low=f"{picture.low:.4g}", high=f"{picture.high:.4g}")
    return joined(", ", (words, _not_finite(picture))) if jnp.issubdtype(aval.dtype, jnp.inexact) else words


def _not_finite(picture: Picture) -> Text:
    if not picture.not_finite:
        return say("no NaN")
    shown = picture.values.numpy()
    if shown.size < np.prod(picture.shape):
        return say("{count} NaN or infinite", count=f"{picture.not_finite:,}")
    nan = int(np.isnan(shown).sum())
    infinite = picture.not_finite - nan
    counted = say("{count} NaN", count=f"{nan:,}")
    return joined("", (counted, say(", {count} infinite", count=f"{infinite:,}"))) if infinite else counted


def _hexadecimal(data: np.ndarray[Any, Any]) -> Text:
    keys = data.reshape(-1, data.shape[-1])
    shown = [" ".join(f"{word:08x}" for word in key) for key in keys[:MOST_KEYS]]
    left_out = len(keys) - len(shown)
    more = say(" and {count} more", count=f"{left_out:,}") if left_out else Text()
    return joined("", (", ".join(shown), more))
