"""Which lesson explains an error."""

from __future__ import annotations

import re
from collections.abc import Collection

ERRORS: dict[tuple[str, str], str] = {
    ("TracerBoolConversionError", ""): "if_on_a_value",
    ("TracerArrayConversionError TracerIntegerConversionError", ""): "concrete_value_needed",
    ("NonConcreteBooleanIndexError", ""): "boolean_masks",
    ("ConcretizationTypeError", r"jnp\.(?:nonzero|where|unique|argwhere|flatnonzero)"): "boolean_masks",
    ("ConcretizationTypeError", r"arange"): "random_depth",
    ("ConcretizationTypeError", ""): "concrete_value_needed",
    ("TypeError", r"Shapes must be 1D sequences of concrete values"): "random_depth",
    ("UnexpectedTracerError", ""): "a_tracer_escapes",
    ("KeyReuseError", ""): "seed_and_key",
    ("ValueError TypeError", r"accepts a single key, but was given a key array"): "nested_vmap",
    ("ValueError", r"vmap got inconsistent sizes"): "axes_of_a_tree",
    ("ValueError TypeError", r"vmap (?:in_axes|out_axes|must have|was requested)"): "in_axes_out_axes",
    ("TypeError", r"scan body function carry"): "carry_of_a_scan",
    ("TypeError", r"Gradient only defined for scalar-output"): "gradient_of_many",
    ("ValueError", r"Non-hashable static arguments"): "static_recompiles",
    ("TypeError", r"JAX arrays are immutable"): "written_in_place",
    ("RuntimeError", r"Array has been deleted"): "written_in_place",
    ("ValueError", r"Number of devices|incompatible devices|is partitioned \d+ times"): "many_devices",
}
"""The id of a scenario by names of the classes of an error and what to look for in its message; the first counts."""


def lesson_of_error(types: Collection[str], message: str) -> str:
    """Return the id of the lesson that explains an error; empty where none does.

    `types` are the names of its class and of that class's bases, `message` is its whole text.
    """
    for (names, words), lesson in ERRORS.items():
        if not set(types).isdisjoint(names.split()) and re.search(words, message):
            return lesson
    return ""
