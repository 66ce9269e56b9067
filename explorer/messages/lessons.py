"""Which lesson shows what a finding tells of: the one place where the two are put together."""

from __future__ import annotations

LESSONS: dict[tuple[str, str], str] = {
    ("shared-noise", ""): "one_key_for_the_batch",
    ("shared-noise", "equal keys"): "shared_by_closure",
    ("shared-noise", "inner axis"): "nested_vmap",
    ("shared-noise", "devices"): "many_devices",
    ("key-reuse", ""): "seed_and_key",
    ("key-reuse", "drawn and split"): "parent_and_child",
    ("key-reuse", "several samplers"): "same_key_other_distribution",
    ("key-reuse", "one place"): "loop_scan_vmap",
    ("key-reuse", "handed on"): "dropout_two_keys",
    ("key-reuse", "made by fold_in"): "fold_in_or_split",
    ("key-reuse", "made from seeds"): "seed_that_came_back",
    ("key-reuse", "split again"): "kept_and_spent",
    ("unused-key", ""): "split_tree",
    ("not-shared", ""): "shared_on_purpose",
    ("unneeded-mark", ""): "shared_on_purpose",
    ("host-random", ""): "once_per_compile",
    ("host-state", ""): "once_per_compile",
    ("leaked-tracer", ""): "a_tracer_escapes",
    ("out-of-bounds", ""): "beyond_the_end",
    ("silent-cast", ""): "thirty_two_bits",
    ("nan", "where"): "nan_from_nowhere",
    ("recompiles", "new function object"): "jit_in_a_loop",
    ("recompiles", "new static value"): "static_recompiles",
    ("recompiles", "new shape"): "shapes_decide",
}
"""The id of a scenario by the kind of a finding and the reason for it, empty for all others of that kind."""


def lesson_of(kind: str, reason: str = "") -> str:
    """Return the id of the lesson that shows findings of `kind` for `reason`; empty where none truly speaks of it."""
    return LESSONS.get((kind, reason), LESSONS.get((kind, ""), ""))
