"""An argument of a jitted function can be neither an array nor static."""

from __future__ import annotations

from explorer.diagnostics.explanation import Explanation

EXPLANATIONS = (
    Explanation(
        "ValueError",
        r"Non-hashable static arguments",
        text=(
            "jit keeps one compiled program for each value of a static argument and finds it by hash, and a list, "
            "dict or array has none. Pass a tuple or a number; or make it an ordinary argument, if it is an array."
        ),
        lesson="static_recompiles",
    ),
    Explanation(
        "TypeError",
        r"Error interpreting argument to .*value is of type <class '.*?'>.*at path (?P<name>\w+)\.(?!\w)",
        text=(
            "The arguments of a jitted function become arrays, and {name} cannot. Mark it as a constant with "
            "jax.jit(f, static_argnames='{name}'); or bind it beforehand with functools.partial."
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
            "The array was donated: a jitted function with donate_argnums or donate_argnames may write its result "
            "into the memory of an argument, which is gone after the call. Use the result from then on, as in x = "
            "f(x); or do not donate what you still need."
        ),
        lesson="written_in_place",
    ),
)
