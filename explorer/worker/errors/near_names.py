"""What a missing name was probably meant to be."""

from __future__ import annotations

import builtins
import difflib
import re

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


def missing_name(error: NameError) -> str:
    """Return the name that `error` is about."""
    return error.name or next(iter(re.findall(r"'(.*?)'", str(error))), "")


def near_name(error: NameError) -> str:
    """Return the name in reach that is spelled most alike, or an empty string."""
    return next(iter(difflib.get_close_matches(missing_name(error), _names_in_reach(error), n=1)), "")


def _names_in_reach(error: BaseException) -> list[str]:
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame if last else None
    return [*frame.f_locals, *frame.f_globals, *dir(builtins)] if frame else []
