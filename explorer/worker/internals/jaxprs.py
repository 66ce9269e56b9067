"""Facts on jaxprs and keys; parameters that differ between JAX versions; `bind`: the outputs of one equation."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn, jaxprs_in_params

from explorer.text.text import say

KEY_OPERATIONS = {
    "random_seed": "seed",
    "random_split": "split",
    "random_fold_in": "fold_in",
    "random_bits": "draw",
    "random_gamma": "draw",
    "random_clone": "clone",
    "rng_bit_generator": "draw",
}
"""The operation of each key primitive, by name: not all of them can be imported."""
RAW_GENERATOR = "rng_bit_generator"
"""XLA's own generator, whose state is plain integers instead of a key; also the implementation name of such keys."""


def bind(equation: JaxprEqn, arguments: Sequence[Any]) -> list[Any]:
    """Evaluate `equation` unchanged and return its outputs."""
    parameters = equation.primitive.get_bind_params(equation.params)
    outputs = equation.primitive.bind(*arguments, **parameters)
    return list(outputs) if equation.primitive.multiple_results else [outputs]


def every_equation(jaxpr: Jaxpr) -> Iterator[JaxprEqn]:
    """Yield the equations of `jaxpr` and of all nested jaxprs; a shared jaxpr yields once per use."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from every_equation(inner)


def anywhere(holds: Callable[[JaxprEqn], bool]) -> Callable[[Jaxpr], bool]:
    """Return a cached predicate: whether any equation of a jaxpr, at any depth, satisfies `holds`."""
    known: weakref.WeakKeyDictionary[Jaxpr, bool] = weakref.WeakKeyDictionary()

    def found(jaxpr: Jaxpr) -> bool:
        answer = known.get(jaxpr)
        if answer is None:
            answer = known[jaxpr] = any(
                holds(equation) or any(map(found, jaxprs_in_params(equation.params))) for equation in jaxpr.eqns
            )
        return answer

    return found


def is_opaque(name: str, parameters: dict[str, Any]) -> bool:
    """Return whether an operation draws or makes keys inside a program available only as compiled text."""
    return name == "call_exported" and text_draws(parameters["exported"].mlir_module())


def text_draws(program: str) -> bool:
    """Return whether the text of a lowered or compiled `program` contains a random number generator."""
    return any(sign in program for sign in _SIGNS_OF_DRAWING)


_SIGNS_OF_DRAWING = (str(0x1BD11BDA), "rng-bit-generator", "rng_bit_generator")
"""The parity constant of Threefry's key schedule, which stands in every inlined copy, and XLA's own generator.

Threefry: Salmon et al. (2011), http://www.thesalmons.org/john/random123/papers/random123sc11.pdf.
"""
EXPORTED_UNSEEN = say("An exported program ran: its draws could not be seen.")


has_random = anywhere(
    lambda equation: equation.primitive.name in KEY_OPERATIONS or is_opaque(equation.primitive.name, equation.params)
)
"""Whether a jaxpr contains key operations."""
has_while = anywhere(lambda equation: equation.primitive.name == "while")
"""Whether a jaxpr contains a loop with a data-dependent number of iterations."""
_CALLBACKS = ("pure_callback", "io_callback", "debug_callback", "debug_print")
calls_back = anywhere(lambda equation: equation.primitive.name in _CALLBACKS)
"""Whether a jaxpr calls Python at run time."""


def carries_random(parameters: dict[str, Any]) -> bool:
    """Return whether a jaxpr in an operation's `parameters` contains key operations."""
    return any(map(has_random, jaxprs_in_params(parameters)))


def scan_parts(parameters: dict[str, Any], arguments: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the arguments of a scan as (constants, initial carry, stacked inputs)."""
    if "num_consts" in parameters:
        constants, carried = parameters["num_consts"], parameters["num_carry"]
    else:
        # Since JAX 0.11 the arguments are a tree of (constants, carry, slices).
        constants, carried = (len(list(each)) for each in [*parameters["ft_in"].update(arguments).unpack()][:2])
    end = constants + carried
    return list(arguments[:constants]), list(arguments[constants:end]), list(arguments[end:])


def while_parts(parameters: dict[str, Any], arguments: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the arguments of a while as (constants of its condition, constants of its body, initial carry)."""
    test = parameters["cond_nconsts"]
    end = test + parameters["body_nconsts"]
    return list(arguments[:test]), list(arguments[test:end]), list(arguments[end:])


def shard_map_axes(parameters: dict[str, Any]) -> tuple[str, ...]:
    """Return the mesh axes that a shard_map is manual over, in the order of the mesh."""
    manual = parameters["newly_manual_axes"]
    return tuple(name for name in parameters["mesh"].axis_names if name in manual)


def gives_keys_away(arguments: Sequence[Any], parameters: dict[str, Any]) -> bool:
    """Return whether a jit with these `parameters` donates an argument that may hold keys, typed or raw.

    Buffer donation: https://docs.jax.dev/en/latest/faq.html#buffer-donation.
    """
    given = parameters.get("donated_invars", ())
    return any(given) and any(is_given and _may_be_keys(each) for each, is_given in zip(arguments, given, strict=False))


def _may_be_keys(array: Any) -> bool:
    dtype = getattr(array, "dtype", None)
    return dtype is not None and (dtype == "uint32" or jax.numpy.issubdtype(dtype, jax.dtypes.prng_key))


def is_specified(sharding: Any) -> bool:
    """Return whether a jit received this sharding explicitly; JAX has a private object for "unspecified"."""
    return not type(sharding).__name__.startswith("Unspecified")


def implementation_name(keys: Any) -> str:
    """Return the generator name of the key array `keys`, even of a generator that JAX does not know by name."""
    return str(keys.dtype._impl.name) if hasattr(keys.dtype, "_impl") else RAW_GENERATOR


def key_words(keys: Any) -> Any:
    """Return the key data of `keys`, uint32[*keys.shape, words]."""
    if not hasattr(keys.dtype, "_impl"):
        # The state of a generator, possibly of 64-bit integers.
        words = jax.lax.bitcast_convert_type(keys, np.uint32)
        return words.reshape(*keys.shape[:-1], -1)
    # The public jax.random.key_data is a dispatch; concrete keys hold the array.
    words = keys._base_array if hasattr(keys, "_base_array") else jax.random.key_data(keys)
    return words if words.ndim == keys.ndim + 1 else words.reshape(*keys.shape, -1)
