"""The explanation of an import without a module: a misspelt name, or a package to install."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from explorer.diagnostics.installing import KNOWN, install_command
from explorer.messages.encodable import encodable_text
from explorer.text.text import Text, say
from explorer.worker.code import own_modules

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
_NEAR = 0.75


def explanation(error: BaseException, importing: str) -> Text:
    """Return the explanation of the ModuleNotFoundError `error`, raised in the file `importing`.

    It is empty where the package of the module is there.
    """
    name = vars(ImportError)["name"].__get__(error)
    if type(name) is not str or not name.isidentifier() or name == "google":
        return Text()
    name = encodable_text(name)
    if name in USUAL_IMPORTS:
        return say("There is no module {name}. Write `{line}`.", name=name, line=USUAL_IMPORTS[name])
    command = install_command((name,))
    if name in KNOWN:
        return say(
            "The Python that runs this program has no package {name}. Install it and run again: {command}",
            name=name,
            command=command,
        )
    file = Path(own_modules.at_home(importing))
    own = own_modules.importable(file.parent) if file.is_absolute() else set()
    others = {"jax", "numpy", *KNOWN, *sys.stdlib_module_names}
    if near := difflib.get_close_matches(name, [*own, *others], n=1, cutoff=_NEAR):
        return say("There is no module {name}. Did you mean {near}?", name=name, near=near[0])
    return say(
        "The Python that runs this program has no package {name}, and the folder of the program has no {name}.py. "
        "Check the spelling. If it is a package, install it and run again: {command}",
        name=name,
        command=command,
    )
