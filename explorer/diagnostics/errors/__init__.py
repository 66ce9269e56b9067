"""Explanations of errors, one record each, grouped by cause.

The first match explains an error, so special ones precede general ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from explorer.diagnostics.check import Explanation
from explorer.diagnostics.errors import jit_arguments, keys_and_maps, shapes, surroundings, tracers

EXPLANATIONS: tuple[Explanation, ...] = (
    *tracers.EXPLANATIONS,
    *keys_and_maps.EXPLANATIONS,
    *shapes.EXPLANATIONS,
    *jit_arguments.EXPLANATIONS,
    *surroundings.EXPLANATIONS,
)


def explaining(types: Collection[str], message: str) -> tuple[Explanation, re.Match[str]] | None:
    """Return the explanation of an error with the match of its message, or None if there is none.

    `types` are the names of its class and base classes; `message` is the whole text.
    """
    fitting = ((each, match) for each in EXPLANATIONS if (match := each.match(types, message)))
    return next(fitting, None)
