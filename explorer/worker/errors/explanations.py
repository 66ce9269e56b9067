"""Finds the plain explanation of an error in `diagnostics/errors` and fills it in; explains missing modules too."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import jax

from explorer.diagnostics.errors import explaining
from explorer.diagnostics.installing import KNOWN, install_command
from explorer.messages.encodable import encodable_text
from explorer.text.text import Text, joined, say
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


def explanation_of_import(error: BaseException, importing: str) -> Text:
    """Return the explanation of `error`, raised in the file `importing`; empty where the module's package is there."""
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
    file = Path(importing)
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


_STAND_IN = (
    "JAX records {function} by running it once{for_whom} with tracers, which have a shape and a dtype but no values. "
    "{cause} "
)
"""Start of the explanations of tracer errors; `cause` names the values involved.

Tracer errors: https://docs.jax.dev/en/latest/errors.html.
"""

_TRACED = re.compile(r"while tracing the function (?P<function>\S+) at .*? for (?P<transform>\w+)\.")
_OF_VMAP = re.compile(r"\b(Batch|Vmap)Tracer\b")
"""JAX's name of a tracer of vmap: the first until 0.11, the second since 0.12."""
_DEPENDS = re.compile(r"depends on the values? of the arguments? (?P<names>[^\n]*?)\.?$", re.MULTILINE)
_FOR_WHOM = {"jit": "", "vmap": " for all examples of vmap", "scan": " for all steps of scan"}
_NO_ARRAY = re.compile(r"^Error interpreting argument to .* value is of type <class '(?:builtins\.)?([\w.]+)'>")
_BYTES = re.compile(r"allocat\w+ (\d+) bytes")


def explanation(types: tuple[str, ...], message: str, arguments: Sequence[str] = (), *, of_key: bool = False) -> Text:
    """Return a plain explanation of an error, or an empty text.

    `types` are the names of its class and of that class's bases; `message` is its whole text; `arguments` are the
    arguments of the user's function behind the failing value, if the message does not name them. `of_key` says that
    the failing argument is a single key.
    """
    found = explaining(types, message)
    if not found:
        return Text()
    known, match = found
    one_for_each = (
        say("That argument is a random key. Split it, one key for each example.")
        if of_key
        else say("Exclude this argument with None in in_axes; or give it one value for each example.")
    )
    parts = {**_about_tracing(message, arguments), "one_for_each": one_for_each, **match.groupdict()}
    return say(known.text, size=_size(message), version=jax.__version__, **parts)


def explanation_of_call(called: str, message: str) -> Text:
    """Return the explanation of an error in `called`, a function of JAX itself, without a jit of the user."""
    match = _NO_ARRAY.search(message)
    return (
        say("{called} takes numbers or arrays, and this is a {kind}.", called=called, kind=match[1])
        if match
        else Text()
    )


def _about_tracing(message: str, arguments: Sequence[str]) -> dict[str, Text]:
    traced = _TRACED.search(message)
    depends = _DEPENDS.search(message)
    names = depends["names"].split(" and ") if depends else list(arguments)
    behind = say(
        "the arguments {names}" if len(names) > 1 else "the argument {names}", names=joined(say(" and "), names)
    )
    transform = traced["transform"] if traced else "vmap" if _OF_VMAP.search(message) else "jit"
    function = traced["function"] if traced else "<lambda>"
    stand_in = say(
        _STAND_IN,
        function=say("the function") if function == "<lambda>" else function,
        for_whom=say(_FOR_WHOM.get(transform, " for {transform}"), transform=transform),
        cause=say("This value depends on {behind}.", behind=behind) if names else say("This value is such a tracer."),
    )
    otherwise = (
        say("make it a static argument of jit (static_argnames), if it is known before the call")
        if transform == "jit"
        else say("work with a value that is known before the call of {transform}", transform=transform)
    )
    return {"stand_in": stand_in, "otherwise": otherwise}


def _size(message: str) -> Text:
    """Return a sentence on the requested memory, or an empty text."""
    match = _BYTES.search(message)
    if not match:
        return Text()
    size, unit = float(match[1]), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return say("This asks for {size}. ", size=f"{float(f'{size:.3g}'):g} {unit}")
