"""A variant under the user's transforms, ready to run; its `Argument` records; errors that the transforms cause."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

from explorer.messages import TOP_LEVEL, Argument, Failure, Transforms
from explorer.messages import transform_text as text
from explorer.text.text import Text, say
from explorer.worker.code import trees, user_code
from explorer.worker.code.calls import arguments_of, call

_RAW_KEYS = {(2,), (4,)}
"""Shapes of a raw key of threefry and of rbg."""


def described(
    function: Callable[..., Any], inputs: Mapping[str, Any], known: dict[tuple[str, bool], Argument] | None = None
) -> tuple[Argument, ...]:
    """Return the arguments that `function` takes of `inputs`, in order; `known` caches their descriptions."""
    known = {} if known is None else known
    given = arguments_of(function, inputs)
    found = []
    for name, by_name in _in_order(function, given):
        if (name, by_name) not in known:
            known[name, by_name] = _argument(name, given[name], by_name=by_name)
        found.append(known[name, by_name])
    return tuple(found)


def _in_order(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield each name and whether it is keyword-only."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        yield from ((name, True) for name in given)
        return
    for name, parameter in parameters.items():
        if name in given:
            yield name, parameter.kind is parameter.KEYWORD_ONLY
    # Names collected by ** come last.
    yield from ((name, True) for name in given if name not in parameters)


def _argument(name: str, value: Any, *, by_name: bool) -> Argument:
    leaves = trees.leaves(value)
    if not leaves or not all(isinstance(leaf, jax.Array | np.ndarray) for leaf in leaves):
        is_float = isinstance(value, float)
        return Argument(name, type(value).__name__, is_array=False, is_float=is_float, by_name=by_name)
    is_tree = leaves[0] is not value
    return Argument(
        name,
        f"{type(value).__name__} of {len(leaves)} array{'s' * (len(leaves) > 1)}" if is_tree else _type(value),
        _common(leaves),
        is_float=all(jnp.issubdtype(leaf.dtype, jnp.inexact) for leaf in leaves),
        is_key=all(map(_is_key, leaves)),
        is_tree=is_tree,
        by_name=by_name,
    )


def _type(value: Any) -> str:
    text: str = jax.typeof(value).str_short(short_dtypes=True)
    return text


def _common(leaves: list[Any]) -> tuple[int, ...]:
    """Return the leading axes common to all `leaves`."""
    shape = tuple(leaves[0].shape)
    for leaf in leaves[1:]:
        same = [mine == other for mine, other in zip(shape, leaf.shape, strict=False)]
        shape = shape[: [*same, False].index(False)]
    return shape


def _is_key(leaf: Any) -> bool:
    if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return True
    return leaf.dtype == np.uint32 and tuple(leaf.shape[-1:]) in _RAW_KEYS


_FILENAME = str(Path(__file__).with_name("transformed call"))
"""In this folder, so that JAX does not treat its frames as user code."""
_SHAPE = re.compile(r"(?<=Output had )shape: \([\d, ]*\)")


@contextmanager
def flags(transforms: Transforms) -> Iterator[None]:
    """Set the flags of `transforms` in the block; other flags stay as they are."""
    with ExitStack() as stack:
        if transforms.x64:
            stack.enter_context(jax.enable_x64(True))
        if not transforms.partitionable:
            stack.enter_context(jax.threefry_partitionable(False))
        yield


def function(program: user_code.LoadedProgram, variant: str, inputs: Mapping[str, Any]) -> Callable[..., Any]:
    """Return `variant` of `program` under its transforms, as a function with named arguments.

    It evaluates exactly the expression shown in the window. Raises BadProgram for a missing variant, and for
    transforms that do not apply.
    """
    plain = program.function(variant, inputs)
    applied = text.of_variant(program.transforms, variant)
    if not applied:
        return plain
    if variant == TOP_LEVEL:
        raise user_code.BadProgram(
            say("The top level of a file is not a function, so no transform can go around it. Choose a function.")
        )
    arguments = described(plain, inputs)
    for each in applied:
        # JAX itself explains all else that does not fit.
        if each.name in ("grad", "jvp") and not text.chosen_argument(each, arguments):
            raise user_code.BadProgram(
                say(
                    "{transform} needs a floating-point argument, which can change by a small amount, and {variant} "
                    "has none.",
                    transform=each.name,
                    variant=variant,
                )
            )
    inner = _evaluated(text.function_text(variant, arguments, applied), {**program.module.__dict__, "jax": jax})
    names = ", ".join(each.name for each in arguments)
    # It has the signature that binds the arguments, at no measurable cost.
    made: Callable[..., Any] = _evaluated(f"lambda {names}: function({names})", {"function": inner})
    made.__name__ = variant
    return made


def prepared(
    program: user_code.LoadedProgram, variant: str, inputs: Mapping[str, Any] | None = None
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the transformed `variant` and its arguments out of `inputs`, made anew if None. Raises BadProgram."""
    inputs = program.inputs() if inputs is None else inputs
    wanted = function(program, variant, inputs)
    return wanted, arguments_of(wanted, inputs)


def outputs(program: user_code.LoadedProgram, variant: str) -> Any:
    """Return the outputs of `variant` of `program` for new inputs, when they are computed. Raises its exceptions."""
    return trees.waited_for(call(*prepared(program, variant)))


def calls(program: user_code.LoadedProgram, inputs: Mapping[str, Any], variants: Sequence[str]) -> dict[str, str]:
    """Return the call as Python text for each of `variants` that the transforms of `program` change."""
    transforms = program.transforms
    return {
        name: text.statement_text(name, described(program.function(name, inputs), inputs), transforms)
        for name in variants
        if text.of_variant(transforms, name) or transforms.x64 or not transforms.partitionable
    }


def explained(failure: Failure, program: user_code.LoadedProgram, variant: str) -> Failure:
    """Return `failure` of `variant`, with a remedy in the row of transforms if one of these caused it."""
    ours = [each for each in text.of_variant(program.transforms, variant) if each.name == "grad" and not each.summed]
    if failure.span is not None or not ours or "scalar-output" not in str(failure.message):
        return failure
    found = _SHAPE.search(str(failure.message))
    shape = found[0].replace("shape: ", "") if found else ""
    words = say(
        "grad differentiates one number, but the function inside it returns an array{of_shape}. Tick “of the sum” "
        "next to grad to differentiate the sum of its entries; or let {variant} return a loss.",
        of_shape=say(" of shape {shape}", shape=shape) if found else Text(),
        variant=variant,
    )
    return msgspec.structs.replace(failure, explanation=words)


def _evaluated(expression: str, namespace: dict[str, Any]) -> Any:
    return eval(compile(expression, _FILENAME, "eval"), namespace)
