"""The likely intended name for a missing one."""

from __future__ import annotations

import builtins
import difflib
import re
from itertools import islice

from explorer.messages.encodable import encodable_text
from explorer.worker.errors.raised import text_of, traceback_of

USUAL_IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "lax": "from jax import lax",
    "vmap": "from jax import vmap",
    "jit": "from jax import jit",
    "grad": "from jax import grad",
    "partial": "from functools import partial",
}


LONGEST_NAME = 100
MOST_NAMES = 2000
"""Largest number of names to compare: a comparison takes about 10 microseconds."""


def missing_name(error: BaseException) -> str:
    """Return the missing name of the NameError `error`."""
    name = vars(NameError)["name"].__get__(error)
    if type(name) is str and name:
        return encodable_text(name[:LONGEST_NAME])
    return next(iter(re.findall(r"'([^']*)'", text_of(error))), "")[:LONGEST_NAME]


def near_name(error: BaseException) -> str:
    """Return the accessible name with the most similar spelling, or an empty text."""
    name = missing_name(error)
    alike = (each for each in _names_in_reach(error) if type(each) is str and abs(len(each) - len(name)) <= len(name))
    return next(iter(difflib.get_close_matches(name, islice(alike, MOST_NAMES), n=1)), "")


def _names_in_reach(error: BaseException) -> list[str]:
    last = traceback_of(error)
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame if last else None
    return [*frame.f_locals, *frame.f_globals, *dir(builtins)] if frame else []
