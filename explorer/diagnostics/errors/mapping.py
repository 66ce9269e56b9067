"""The axes of a vmap do not fit its arguments or outputs."""

from __future__ import annotations

from explorer.diagnostics.explanation import Explanation

EXPLANATIONS = (
    Explanation(
        "ValueError",
        r"vmap got inconsistent sizes",
        text=(
            "vmap maps over one axis of each argument, and these axes have different lengths. Give arguments of the "
            "same length; or exclude one with in_axes, for example in_axes=(0, None) to pass the second whole."
        ),
        lesson="axes_of_a_tree",
    ),
    Explanation(
        "ValueError TypeError",
        r"vmap in_axes must be an int, None, or a tuple.*len\(args\)=0",
        text=(
            "The arguments are passed by name here, and in_axes covers only those that are passed by position. Map "
            "inside a function: def f(x, key): return jax.vmap(g, in_axes=(0, None))(x, key)."
        ),
        lesson="in_axes_out_axes",
    ),
    Explanation(
        "ValueError TypeError",
        r"vmap in_axes must be an int, None, or a tuple",
        text=(
            "in_axes must have one entry for each positional argument: the axis to map, or None to pass it whole. "
            "Give a tuple as long as the arguments, for example in_axes=(0, None); or one number for all of them."
        ),
        lesson="in_axes_out_axes",
    ),
    Explanation(
        "ValueError",
        r"vmap must have at least one non-None value",
        text=(
            "in_axes excludes every argument, so vmap has no axis to map over and does not know how many times to "
            "run. Map at least one argument, for example in_axes=(0, None); or pass axis_size=..."
        ),
        lesson="in_axes_out_axes",
    ),
    Explanation(
        "ValueError",
        (
            r"vmap was requested to map its argument along axis (?P<axis>-?\d+).*rank should be at least.*"
            r"shape is (?P<shape>\(.*?\))"
        ),
        text=("vmap should map over axis {axis}, but an argument of shape {shape} has no such axis. {one_for_each}"),
        lesson="in_axes_out_axes",
    ),
    Explanation(
        "ValueError TypeError",
        r"vmap out_axes (?:specification|must be)",
        text=(
            "out_axes must be one number for all outputs, or have the structure of the return value: one entry for "
            "each output. Omit out_axes to stack every output along axis 0."
        ),
        lesson="in_axes_out_axes",
    ),
    Explanation(
        "ValueError",
        r"vmap out_axes",
        text=(
            "out_axes=None says that all examples return the same, but this output differs between examples. Omit "
            "out_axes to stack the outputs; or return something that does not depend on the mapped arguments."
        ),
        lesson="in_axes_out_axes",
    ),
)
