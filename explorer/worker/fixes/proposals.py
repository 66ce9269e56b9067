"""Proposes untested fixes for an error or a finding; `intended`: edits that run a failing vmap on one example."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import NamedTuple

from explorer.messages import Edit, Finding, Fix
from explorer.worker.errors import failure
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes import by_kind, control_flow, keys_and_maps, traced_values
from explorer.worker.syntax.code_tree import CodeTree, readable

Maker = Callable[[ErrorScene], Iterator[Fix]]


class Proposal(NamedTuple):
    """Rules to try for errors with a matching class and message."""

    types: str
    message: str
    """A regular expression to search for in the message."""
    makers: tuple[Maker, ...]
    """The best match first."""


PROPOSALS = (
    Proposal(
        "TracerBoolConversionError", "",
        (control_flow.choose_inside, control_flow.elementwise, control_flow.loop_inside,
         traced_values.make_static),
    ),
    Proposal(
        "TracerIntegerConversionError", "",
        (control_flow.loop_inside, traced_values.index_an_array, traced_values.make_static),
    ),
    Proposal("TracerArrayConversionError", "", (traced_values.use_jnp,)),
    Proposal("NonConcreteBooleanIndexError", "", (traced_values.blank_out,)),
    Proposal(
        "ConcretizationTypeError", "",
        (traced_values.keep_array, traced_values.say_size, traced_values.make_static),
    ),
    Proposal("TypeError", r"Shapes must be 1D sequences of concrete values", (traced_values.make_static,)),
    Proposal("IndexError", r"(?:entries must be|must have) static", (traced_values.slice_dynamically,)),
    Proposal("UnexpectedTracerError", "", (traced_values.copy_out,)),
    Proposal("ValueError TypeError", r"accepts a single key", (keys_and_maps.one_key,)),
    Proposal("TypeError", r"invalid PRNG key data", (keys_and_maps.make_key,)),
    Proposal("TypeError", r"does not accept dtypes .*key<", (keys_and_maps.fold_in,)),
    Proposal("TypeError", r"PRNGKey dtype cannot be converted", (keys_and_maps.key_data,)),
    Proposal("ValueError TypeError", r"vmap out_axes", (keys_and_maps.stack_outputs,)),
    Proposal("ValueError TypeError", r"vmap", (keys_and_maps.repair_in_axes,)),
    Proposal("ValueError", r"axis -?\d+ is out of bounds for array", (keys_and_maps.stack_outputs,)),
    Proposal("TypeError", r"carry input and carry output must have", (traced_values.initial_value,)),
    Proposal("TypeError", r"Gradient only defined for scalar-output", (traced_values.scalar_loss,)),
    Proposal("TypeError", r"JAX arrays are immutable", (traced_values.changed_copy,)),
    Proposal("ValueError", r"Non-hashable static arguments", (traced_values.tuple_for_list,)),
    Proposal("TypeError", r"Error interpreting argument to", (traced_values.static_word,)),
)  # fmt: skip


def proposed_for(error: BaseException, is_user_code: Callable[[str], bool]) -> list[Fix]:
    """Return the untested fixes for `error`, without repetition, the best match first."""
    scene = failure.scene(error, is_user_code)
    found: list[Fix] = []
    if scene is None:
        return found
    for proposal in PROPOSALS:
        if not scene.is_a(*proposal.types.split()) or not scene.search(proposal.message):
            continue
        for maker in proposal.makers:
            # The code may have any form: a maker that does not know a form proposes nothing.
            with contextlib.suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
                found += [each for each in maker(scene) if each not in found]
        return found
    return found


def intended(error: BaseException, is_user_code: Callable[[str], bool]) -> tuple[Edit, ...]:
    """Return the edits that run a failing vmap on one example: its result has the intended axes; () otherwise."""
    scene = failure.scene(error, is_user_code)
    if scene is None or not scene.is_a("ValueError", "TypeError") or not scene.search("vmap"):
        return ()
    with contextlib.suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        return keys_and_maps.one_example(scene)
    return ()


# -- for findings ----------------------------------------------------------------------------------------------------


BY_KIND: dict[str, Callable[[CodeTree, Finding], Iterator[Fix]]] = {
    each.name.replace("_", "-"): importlib.import_module(f"{by_kind.__name__}.{each.name}").proposed
    for each in pkgutil.iter_modules(by_kind.__path__)
}
"""The function that proposes fixes, by the kind of finding. Each run of a program is a separate process."""


def proposed_for_finding(finding: Finding, text: str) -> Iterator[Fix]:
    """Yield the untested fixes for `finding` in the code `text`, without repetition, the best match first."""
    code, maker = readable(text), BY_KIND.get(finding.kind)
    found: list[Fix] = []
    # The code may have any form: a maker that does not know a form proposes nothing.
    with contextlib.suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        for each in maker(code, finding) if code and maker else ():
            if each not in found:
                found.append(each)
                yield each
