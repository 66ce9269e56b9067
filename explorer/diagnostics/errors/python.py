"""Errors of Python itself, which learners meet too."""

from __future__ import annotations

from explorer.diagnostics.explanation import Explanation

EXPLANATIONS = (
    Explanation(
        "SyntaxError",
        r"expected an indented block|unexpected indent|unindent does not match|inconsistent use of tabs",
        text=(
            "Python could not read the program, so nothing ran. Lines of one block must begin in the same column, "
            "and a block follows each colon. Check the spaces of the marked line, and of the line above."
        ),
    ),
    Explanation(
        "SyntaxError",
        text=(
            "Python could not read the program, so nothing ran. Check the marked line: often a bracket or quote is "
            "left open just before it, or a colon or comma is missing."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>jax\.experimental\.(?:maps|shard_map|pjit|xmap)\b.*)'",
        text=(
            "JAX {version} has no module {name}: it was removed. Its contents are in jax itself now: jax.shard_map "
            "instead of shard_map and xmap, jax.jit instead of pjit, jax.make_mesh for a mesh."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>jax\..+?)'",
        text=(
            "JAX {version} has no module {name}: it was removed or renamed. Look for it in the changelog of JAX; or"
            " check the spelling."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named 'google(\.colab)?'",
        text="google.colab exists only where Colab runs a notebook. Remove this import and what needs it.",
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>(?P<package>\w+)\..+?)'",
        text=(
            "{package} is installed, but it has no module {name}: another version may have it, under this name or "
            "another. Look in the changelog of {package}; or check the spelling."
        ),
    ),
    Explanation(
        "RecursionError",
        text=(
            "A function called itself until Python's limit was reached. Give it a case in which it stops; or write "
            "it as a loop (inside jit: jax.lax.fori_loop or scan)."
        ),
    ),
    Explanation(
        "SystemExit",
        text=(
            "The program asked Python to quit, so there is no result. Remove the call of exit; or move it under if "
            '__name__ == "__main__".'
        ),
    ),
    Explanation(
        "AttributeError",
        r"module 'jax' has no attribute 'tree_(?P<name>map|leaves|flatten|unflatten|structure|reduce|transpose|all)'",
        text=(
            "jax.tree_{name} was removed from JAX. Use jax.tree.{name}; or jax.tree_util.tree_{name}, which old "
            "versions have, too."
        ),
    ),
    Explanation(
        "AttributeError",
        r"ArrayImpl' object has no attribute 'numpy'",
        text=(
            "A JAX array has no method numpy(), unlike a PyTorch tensor. Convert it with np.asarray(x); or keep it a "
            "JAX array, which most NumPy functions take as it is."
        ),
    ),
    Explanation(
        "FloatingPointError",
        r"invalid value \((?P<what>\w+)\) encountered in (?P<name>\w+)",
        text=(
            "jax_debug_nans or jax_debug_infs is on, so JAX stops at the first {what}, which {name} returned. Check "
            "the inputs of {name}; or turn the flag off, and the program runs on with {what}."
        ),
    ),
    Explanation(
        "OverflowError",
        r"out of bounds for u?int32|too large to convert to u?int32|parsing an argument to a jitted computation",
        text=(
            "JAX integers have 32 bits unless jax_enable_x64 is on, and this Python number needs more: int32 ends at "
            "2**31 - 1. Turn on 64 bits and use int64; or use a float, if rounding does no harm."
        ),
    ),
)
