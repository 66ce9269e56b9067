"""Which fixes to try for which errors."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from explorer.messages import Fix
from explorer.worker.errors import failure
from explorer.worker.errors.scene import Scene, scene_of_function
from explorer.worker.fixes import (
    choices,
    concrete_values,
    keys_and_maps,
    loops,
    out_of_memory,
    plain_python,
    shapes,
)

Maker = Callable[[Scene], Iterator[Fix]]


class Proposal(NamedTuple):
    """What to try for errors whose class and message match."""

    types: str
    message: str
    """A regular expression to look for in the message."""
    makers: tuple[Maker, ...]
    """The most fitting first."""


PROPOSALS = (
    Proposal(
        "TracerBoolConversionError", "",
        (choices.choose_inside, choices.elementwise, choices.loop_inside, loops.loop_with_state,
         concrete_values.make_static),
    ),
    Proposal(
        "TracerIntegerConversionError", "",
        (choices.count_inside, loops.loop_with_state, concrete_values.index_an_array, concrete_values.make_static),
    ),
    Proposal("TracerArrayConversionError", "", (concrete_values.use_jnp,)),
    Proposal("NonConcreteBooleanIndexError", "", (concrete_values.blank_out,)),
    Proposal(
        "ConcretizationTypeError", "",
        (concrete_values.keep_array, concrete_values.say_size, concrete_values.make_static),
    ),
    Proposal("TypeError", r"Shapes must be 1D sequences of concrete values", (concrete_values.make_static,)),
    Proposal("IndexError", r"(?:entries must be|must have) static", (concrete_values.slice_dynamically,)),
    Proposal("UnexpectedTracerError", "", (concrete_values.copy_out,)),
    Proposal("ValueError TypeError", r"accepts a single key", (keys_and_maps.one_key,)),
    Proposal("TypeError", r"invalid PRNG key data", (keys_and_maps.make_key,)),
    Proposal("TypeError", r"does not accept dtypes .*key<", (keys_and_maps.fold_in,)),
    Proposal("TypeError", r"PRNGKey dtype cannot be converted", (keys_and_maps.key_data,)),
    Proposal("ValueError TypeError", r"vmap out_axes", (keys_and_maps.stack_outputs,)),
    Proposal("ValueError TypeError", r"vmap", (keys_and_maps.repair_in_axes,)),
    Proposal("TypeError ValueError", r"dot_general requires contracting", (shapes.transpose,)),
    Proposal("TypeError ValueError", r"[Ii]ncompatible shapes for broadcasting", (shapes.fit_operand,)),
    Proposal("TypeError", r"cannot reshape array", (shapes.reshape_with_rest,)),
    Proposal("TypeError ValueError", r"Cannot concatenate arrays", (shapes.join_otherwise,)),
    Proposal("TypeError", r"(?:cond|switch) branches must have equal", (loops.convert_branch,)),
    Proposal("ValueError", r"axis -?\d+ is out of bounds for array", (keys_and_maps.stack_outputs, shapes.last_axis)),
    Proposal("TypeError", r"carry input and carry output must have", (shapes.initial_value,)),
    Proposal("TypeError", r"Gradient only defined for scalar-output", (shapes.scalar_loss,)),
    Proposal("TypeError", r"grad requires real- or complex-valued inputs", (shapes.float_argument,)),
    Proposal("TypeError", r"JAX arrays are immutable", (shapes.changed_copy,)),
    Proposal("ValueError", r"Non-hashable static arguments", (plain_python.tuple_for_list,)),
    Proposal("TypeError", r"Error interpreting argument to", (plain_python.static_word,)),
    Proposal(
        "RuntimeError",
        r"RESOURCE_EXHAUSTED|[Oo]ut of memory",
        (out_of_memory.smaller_parameter, out_of_memory.few_at_a_time),
    ),
    Proposal("RuntimeError", r"Unknown backend", (plain_python.devices_there,)),
    Proposal("NameError", "", (plain_python.missing_name,)),
)  # fmt: skip


def proposed_for(
    error: BaseException, is_persons: Callable[[str], bool], text: str = "", variant: str = ""
) -> list[Fix]:
    """Return the fixes to try for `error`, each once, the most fitting first; not tried yet.

    An error that came only when the outputs were waited for has no place; it is taken for one of `variant` of the code
    `text`.
    """
    scene = failure.scene(error, is_persons) or scene_of_function(error, text, variant)
    found: list[Fix] = []
    if scene is None:
        return found
    for proposal in PROPOSALS:
        if not scene.is_a(*proposal.types.split()) or not scene.search(proposal.message):
            continue
        for maker in proposal.makers:
            # The code may have any form: a maker that meets one it does not know has nothing to offer.
            with contextlib.suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
                found += [each for each in maker(scene) if each not in found]
        return found
    return found
