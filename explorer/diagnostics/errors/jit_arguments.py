"""Explanations of errors on arguments of a jitted function: neither an array nor static, or donated."""

from __future__ import annotations

from explorer.diagnostics.check import Explanation

EXPLANATIONS = (
    Explanation(
        "ValueError",
        r"Non-hashable static arguments",
        text=(
            "jit keeps one compiled program for each value of a static argument, and finds it by hash. A list, dict "
            "or array has no hash. Pass a tuple or a number; or, for an array, make it an ordinary argument."
        ),
        lesson="static_recompiles",
    ),
    Explanation(
        "TypeError",
        r"Error interpreting argument to .*value is of type <class '(?!jax(?:lib)?\.)\w[\w<>]*\.[^']*?(?P<kind>\w+)'>"
        r".*at path (?P<name>\w+)\.(?!\w)",
        text=(
            "JAX takes lists, tuples and dicts apart, but does not know the class {kind}. Register it with "
            "jax.tree_util.register_dataclass; or pass the arrays in {name} as separate arguments. If it has no "
            "arrays, mark {name} as static."
        ),
        lesson="classes_as_trees",
    ),
    Explanation(
        "TypeError",
        r"Error interpreting argument to .*value is of type <class '.*?'>.*at path (?P<name>\w+)\.(?!\w)",
        text=(
            "A jitted function turns its arguments into arrays, and {name} cannot become one. Mark it as static "
            "with jax.jit(f, static_argnames='{name}'); or bind it beforehand with functools.partial."
        ),
    ),
    Explanation(
        "TypeError",
        r"Error interpreting argument to .*value is of type <class '.*?'>.*at path (?P<path>(?P<name>\w+)\S+?)\.\s",
        text=(
            "Everything in the arguments of a jitted function becomes an array, and {path} cannot. Take it out of "
            "{name} and pass it as a separate argument, marked with static_argnames; or close over it."
        ),
    ),
    Explanation(
        "RuntimeError",
        r"Array has been deleted",
        text=(
            "This array was donated: a jitted function with donate_argnums or donate_argnames may reuse the memory "
            "of an argument, which is then deleted. Use the result from then on, as in x = f(x); or do not donate "
            "an array that you still need."
        ),
        lesson="written_in_place",
    ),
)
