"""Labels of the fixes that several modules share; a module in by_kind may write its own."""

from __future__ import annotations

from explorer.text.text import Text, say

LABELS = {
    "where": "Choose with jnp.where (both sides are computed)",
    "cond": "Choose with jax.lax.cond (one side runs)",
    "while_loop": "Loop with jax.lax.while_loop",
    "fori_loop": "Loop with jax.lax.fori_loop",
    "elementwise": "Use {new}, which takes arrays",
    "static": "Make {argument} a static argument of jit",
    "keep_array": "Keep it an array: {new}",
    "jnp": "Use {new} instead of {old}",
    "where_mask": "Keep the shape and put 0 where the mask is False",
    "reduce_where": "Leave the rest out with where=",
    "sized": "Say how many there can be: size={size}",
    "dynamic_slice": "Slice with jax.lax.dynamic_slice_in_dim",
    "array_index": "Make the list an array, then index it",
    "copy_out": "Copy the values out with jax.debug.callback",
    "map_keys": "Call {call} for each key with jax.vmap",
    "first_key": "Use the first key only: {keys}[0]",
    "make_key": "Make a key of it: jax.random.key({seed})",
    "fold_in": "Make another key with jax.random.fold_in",
    "key_data": "Use the key's data: jax.random.key_data",
    "in_axes": "Set in_axes={new}",
    "split_keys": "Split {key} into one key for each example",
    "out_axes": "Stack the outputs: omit out_axes",
    "initial": "Start with {new}",
    "scalar_loss": "Sum the outputs before grad",
    "at_set": "Make a changed copy with .at[...]",
    "tuple": "Pass a tuple instead of the list",
    "inputs": "Add a function inputs that returns its arguments",
    "split_first": "Split {key} before it is used again",
    "split_repeated": "Split {key} instead of repeating it",
    "fold_rounds": "Fold the iteration number into {key}",
    "fold_uses": "Fold a different number into {key} for each use",
    "other_seed": "Make another key there: {new}",
    "as_many_keys": "Make as many keys as there are examples",
    "fold_devices": "Fold the number of each device into {key}",
    "jit_once": "Jit it once, before the loop",
    "not_a_variant": "Mark {variant} as a helper, not a variant",
    "drop_assignment": "Remove {target}, which nothing reads",
    "last_element": "Take the last element: {new}",
    "clip": "Make the nearest element explicit: {mode} (same result)",
    "fill": "Make the fill value explicit: {mode} (same result)",
    "drop": "Make dropping beyond the end explicit: {mode} (same result)",
    "ask_for": "Ask for {new}, the type that JAX gives anyway",
    "x64": "Turn on 64 bits, for the whole program: jax_enable_x64",
    "where_before": "Replace {value} before the operation, too (where inside where)",
}


def label(name: str, **parts: str) -> Text:
    """Return the label of fix `name`, filled with `parts`."""
    return say(LABELS[name], **parts)
