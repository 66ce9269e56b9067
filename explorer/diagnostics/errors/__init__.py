"""The explanations of errors, one record each, by what went wrong.

The first that fits an error explains it: special ones stand before general ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from explorer.diagnostics.errors import jit_arguments, keys, machine, mapping, python, shapes, sharding, tracers
from explorer.diagnostics.explanation import Explanation

EXPLANATIONS: tuple[Explanation, ...] = (
    *tracers.EXPLANATIONS,
    *keys.EXPLANATIONS,
    *mapping.EXPLANATIONS,
    *shapes.EXPLANATIONS,
    *jit_arguments.EXPLANATIONS,
    *sharding.EXPLANATIONS,
    *machine.EXPLANATIONS,
    *python.EXPLANATIONS,
)


def explaining(types: Collection[str], message: str) -> tuple[Explanation, re.Match[str]] | None:
    """Return the explanation of an error, and where its message fits; None where nothing better is known than that.

    `types` are the names of its class and of that class's bases; `message` is its whole text.
    """
    fitting = ((each, match) for each in EXPLANATIONS if (match := each.match(types, message)))
    return next(fitting, None)
