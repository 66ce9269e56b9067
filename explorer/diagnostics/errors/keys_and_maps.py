"""Explanations of errors on misplaced random keys, and on axes of a vmap that do not fit what it maps."""

from __future__ import annotations

from explorer.diagnostics.check import Explanation

EXPLANATIONS = (
    Explanation(
        "ValueError TypeError",
        r"\b(?P<call>\w+) accepts a single key, but was given a key array of shape (?P<shape>\([^)]*\))",
        text=(
            "{call} takes one key, and this is an array of keys of shape {shape}. To call it for each of them, map "
            "it: jax.vmap(lambda key: jax.random.{call}(key, ...))(keys). To call it once, pick one: keys[0]."
        ),
        lesson="nested_vmap",
    ),
    Explanation(
        "TypeError",
        r"unexpected PRNG key type <class 'NoneType'>",
        text=(
            "This argument must be a random key, but it is None: a key was not passed, or a function that should "
            "return one returns nothing. Pass one; or make one with jax.random.key(0)."
        ),
    ),
    Explanation(
        "TypeError",
        r"invalid PRNG key data: expected key_data.shape to end with \((?P<words>\d+),\); got shape=(?P<shape>\(.*?\))",
        text=(
            "This argument must be a random key, or key data whose last axis has length {words}, but it has shape "
            "{shape}. Make a key with jax.random.key(0); and check the order of the arguments: the key comes first."
        ),
    ),
    Explanation(
        "TypeError",
        r"invalid PRNG key data",
        text=(
            "This argument must be a random key, but it is a number or another kind of array. Make a key with "
            "jax.random.key(0); and check the order of the arguments: the key comes first."
        ),
    ),
    Explanation(
        "TypeError",
        r"does not accept dtypes .*key<",
        text=(
            "A random key is not a number: JAX refuses to calculate with it. To get another key use "
            "jax.random.split or jax.random.fold_in; to get numbers draw them, for example with "
            "jax.random.normal(key)."
        ),
    ),
    Explanation(
        "TypeError",
        r"PRNGKey dtype cannot be converted to a NumPy array",
        text=(
            "A random key is not a number, so NumPy cannot hold it. jax.random.key_data(key) gives its words as "
            "integers; to print a key, print it as it is."
        ),
    ),
    Explanation(
        "KeyReuseError",
        text=(
            "The same key was used twice, so the two results are not independent. Split it and use each part once: "
            "key_a, key_b = jax.random.split(key)."
        ),
        lesson="seed_and_key",
    ),
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
