"""Finds a function that a program maps with vmap (`MappedFunction`), to be timed against a loop over the examples."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp

from explorer.text.text import say
from explorer.worker.code import calls
from explorer.worker.code.user_code import BadProgram
from explorer.worker.internals.batching import mapped_calls
from explorer.worker.internals.batching.mapped_calls import MappedCall

EXAMPLES = "examples"
"""The name of the swept size, and of the only argument: the leaves of all examples."""
MOST_SIZES = 6


class _Found(BaseException):
    """The call that was looked for begins."""


class MappedFunction:
    """The function of one call under vmap."""

    def __init__(self, call: MappedCall, leaves: tuple[Any, ...]) -> None:
        self._call, self._leaves = call, leaves
        self.__name__ = call.name

    @property
    def sizes(self) -> list[int]:
        """The numbers of examples to time, up to that of the program: 1, 4, 16."""
        whole = self._call.examples
        smaller = [4**power for power in range(MOST_SIZES) if 4**power < whole]
        return [*smaller, whole]

    def arguments(self, size: int) -> dict[str, Any]:
        """Return the first `size` examples."""
        placed = zip(self._leaves, self._call.axes, strict=True)
        cut = [leaf if axis is None else jax.lax.slice_in_dim(leaf, 0, size, axis=axis) for leaf, axis in placed]
        return {EXAMPLES: cut}

    def __call__(self, examples: list[Any]) -> Any:
        """Return the result for all `examples` at once."""
        return self._call.called(examples)

    def in_a_loop(self, examples: list[Any]) -> Callable[[], Any]:
        """Return a function that calls the jitted function for one of `examples` after the other."""
        one, placed = jax.jit(self._call.one), list(zip(examples, self._call.axes, strict=True))
        rows = [itertools.repeat(leaf) if axis is None else jnp.moveaxis(leaf, axis, 0) for leaf, axis in placed]

        def loop() -> Any:
            # The repeated ones never end.
            outputs = [one(list(example)) for example in zip(*rows, strict=False)]
            return jax.tree.map(lambda *each: jnp.stack(each), *outputs)

        return loop


def mapped_in(
    function: Callable[..., Any], arguments: Mapping[str, Any], name: str, is_user_code: Callable[[str], bool]
) -> MappedFunction:
    """Return the first function called ``vmap(name)``, or any for an empty `name`, in a call of `function`.

    The call runs without jit until there, because jit hides the values. Raises BadProgram if there are none.
    """
    seen: list[MappedCall] = []

    def tell(call: MappedCall, _line: int) -> None:
        if name in ("", f"vmap({call.name})") and not seen:
            seen.append(call)
            raise _Found

    try:
        with mapped_calls.watched(tell, is_user_code), jax.disable_jit():
            calls.call(function, arguments)
    except _Found:
        pass
    values = seen[0].values() if seen else None
    if values is None:
        raise BadProgram(
            say(
                "{name} is not timed by itself: JAX only traces it, so its arguments have no values.",
                name=name or "vmap",
            )
        )
    return MappedFunction(seen[0], tuple(each if isinstance(each, jax.Array) else jnp.asarray(each) for each in values))
