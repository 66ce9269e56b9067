"""Errors of Python itself, which a learner meets all the same."""

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
        r"No module named '(?P<name>(?P<package>\w+)\..+?)'",
        text=(
            "{package} is installed, but it has no module {name}: another version may have it, under this name or "
            "another. Look in the changelog of {package}; or check the spelling."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>\w+)'",
        text=(
            "The Python that runs this program has no package {name}. Check the spelling; or install it into that "
            "Python and run it again."
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
)
