"""Both passes of a gradient as one jaxpr: the variant under ``jax.vjp``, and its pullback of ones.

The backward equations carry ``transpose`` in their name stack; the residuals are those of
https://docs.jax.dev/en/latest/notebooks/autodiff_remat.html (``print_saved_residuals``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
from jax.extend.core import ClosedJaxpr, Var

from explorer.text.text import TextError, say
from explorer.worker.code.calls import placed
from explorer.worker.program.program import Given, traced

Call = Callable[..., Any]


class NoGradient(TextError):
    """There is no gradient; the message is a sentence for the user."""


class ArgumentArray(msgspec.Struct, frozen=True):
    """One array among the arguments."""

    name: str
    value: Any

    @property
    def is_taken(self) -> bool:
        return is_inexact(self.value)


class TracedGradient(msgspec.Struct, frozen=True):
    """A variant, and both passes of its gradient."""

    plain: ClosedJaxpr
    """The variant itself."""
    both: ClosedJaxpr
    """From the arguments, and a cotangent for each real output, to outputs, gradients and residuals."""
    leaves: tuple[ArgumentArray, ...]
    """The arguments of `plain`."""
    outputs: tuple[Any, ...]
    """Types of the outputs of `plain`."""
    linked: bool
    """Whether `plain` is the program in the jaxpr pane."""

    @property
    def cotangents(self) -> list[Any]:
        """Ones for each real output, which gives the gradient of their sum."""
        return [jnp.ones(each.shape, each.dtype) for each in self.outputs if is_real(each)]

    @property
    def gradients(self) -> list[Any]:
        """The variables of `both` with the gradients, in the order of the differentiated leaves."""
        count = sum(leaf.is_taken for leaf in self.leaves)
        return list(self.both.jaxpr.outvars[len(self.outputs) :][:count])

    @property
    def residuals(self) -> list[Var]:
        """The variables of `both` that the forward pass keeps for the backward pass."""
        rest = self.both.jaxpr.outvars[len(self.outputs) + len(self.gradients) :]
        return [each for each in rest if isinstance(each, Var)]


def is_inexact(value: Any) -> bool:
    """Return whether `value`, an array or its type, has a floating-point or complex dtype."""
    return bool(jnp.issubdtype(value.dtype, jnp.inexact))


def is_real(value: Any) -> bool:
    """Return whether `value`, an array or its type, has a floating-point dtype."""
    return bool(jnp.issubdtype(value.dtype, jnp.floating))


def trace(call: Call, inputs: Mapping[str, Any]) -> TracedGradient:
    """Return `call` with its arguments `inputs`, and its gradient. Raises NoGradient, and exceptions of the call.

    Arrays are traced, as for the jaxpr pane; if no array holds floats, Python floats are traced instead.
    """
    has_floats = any(is_inexact(leaf) for value in inputs.values() for _, leaf in Given(value).arrays)
    order = _order(call, inputs)
    given = {name: Given(inputs[name] if has_floats else _with_floats(inputs[name])) for name in order}
    plain, values = traced(call, {name: each.value for name, each in given.items()})
    names = [name + path for name, each in given.items() for path, _ in each.arrays]
    leaves = tuple(ArgumentArray(*each) for each in zip(names, values, strict=True))
    outputs = tuple(plain.out_avals)
    _refuse(leaves, outputs)
    cotangents = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in outputs if is_real(each)]
    both = jax.make_jaxpr(_passes(call, given, leaves, outputs))([leaf.value for leaf in leaves], cotangents)
    return TracedGradient(plain, both, leaves, outputs, linked=has_floats)


def _passes(call: Call, given: Mapping[str, Given], leaves: Sequence[ArgumentArray], outputs: Sequence[Any]) -> Call:
    """Return the function to trace: it returns the outputs, their pullback, and the residuals."""

    def both(values: list[Any], cotangents: list[Any]) -> Any:
        def taken(floats: list[Any]) -> list[Any]:
            rest = iter(floats)
            filled = iter([next(rest) if leaf.is_taken else each for leaf, each in zip(leaves, values, strict=True)])
            own = {name: each.holding(islice(filled, len(each.arrays))) for name, each in given.items()}
            args, keywords = placed(call, own)
            return list(jax.tree.leaves(call(*args, **keywords)))

        found, pullback = jax.vjp(taken, [each for each, leaf in zip(values, leaves, strict=True) if leaf.is_taken])
        rest = iter(cotangents)
        of_outputs = [next(rest) if is_real(each) else _nothing(each) for each in outputs]
        return found, pullback(of_outputs), jax.tree.leaves(pullback)

    return both


def _nothing(output: Any) -> Any:
    dtype = output.dtype if is_inexact(output) else jax.dtypes.float0
    return np.zeros(output.shape, dtype)


def _refuse(leaves: tuple[ArgumentArray, ...], outputs: tuple[Any, ...]) -> None:
    """Raise NoGradient if there is nothing to differentiate."""
    if not outputs:
        raise NoGradient(say("The program returns no array, so there is nothing to take a gradient of."))
    if not any(map(is_real, outputs)):
        types = ", ".join(dict.fromkeys(each.str_short(short_dtypes=True) for each in outputs))
        if any(map(is_inexact, outputs)):
            raise NoGradient(
                say(
                    "The program returns complex numbers ({types}), and only real numbers have a gradient. Return "
                    "the real part, jnp.real(z), or the magnitude, jnp.abs(z).",
                    types=types,
                )
            )
        raise NoGradient(
            say(
                "The program returns no floats ({types}). Only floats can change by a small amount and have a "
                "gradient. Return a float.",
                types=types,
            )
        )
    if not any(leaf.is_taken for leaf in leaves):
        raise NoGradient(say("No argument holds floats, so there is no gradient to take. Pass a float array."))


def _with_floats(value: Any) -> Any:
    """Return `value` with Python floats as weakly typed arrays, as in ``jax.grad``."""
    try:
        return jax.tree.map(lambda leaf: jnp.asarray(leaf) if isinstance(leaf, float) else leaf, value)
    except (TypeError, ValueError):  # a dict with unsortable keys
        return value


def _order(call: Call, inputs: Mapping[str, Any]) -> list[str]:
    """Return the names of `inputs` in the order in which their arrays are traced."""
    by_name = placed(call, inputs)[1]
    by_position = [name for name in inputs if name not in by_name]
    if len(by_position) > 1:
        known = list(inspect.signature(call).parameters)
        by_position.sort(key=known.index)
    return [*by_position, *sorted(by_name)]
