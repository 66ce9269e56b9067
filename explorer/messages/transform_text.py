"""Writes a variant under vmap, grad, jvp or jit as Python, which the worker runs; chooses axes and the argument."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from explorer.messages import Applied, Argument, Transforms


class _Function(msgspec.Struct, frozen=True):
    """A function as an expression; for a lambda, also its body."""

    text: str
    body: str = ""

    def called(self, arguments: str) -> str:
        return f"({self.text})({arguments})" if self.body else f"{self.text}({arguments})"


def of_variant(transforms: Transforms, variant: str) -> tuple[Applied, ...]:
    """Return the transforms of `variant`, innermost first."""
    return transforms.applied if transforms.variant in ("", variant) else ()


def chosen_axes(applied: Applied, arguments: Sequence[Argument]) -> dict[str, int | None]:
    """Return the ``vmap`` axis of each argument, None for one that all examples share.

    Default: axis 0 of the first array that has one and is no key (else of the first), and of every array of equal
    length.
    """
    mapped = [each for each in arguments if each.is_array and each.shape]
    first = next((each for each in mapped if not each.is_key), mapped[0] if mapped else None)
    rule = {each.name: 0 for each in mapped if first is not None and each.shape[0] == first.shape[0]}
    return {each.name: applied.in_axes.get(each.name, rule.get(each.name)) for each in arguments}


def chosen_argument(applied: Applied, arguments: Sequence[Argument]) -> str:
    """Return the argument that ``grad`` or ``jvp`` differentiates, '' without one."""
    names = [each.name for each in arguments]
    if applied.argument in names:
        return applied.argument
    return next((each.name for each in arguments if each.is_float), "")


def function_text(variant: str, arguments: Sequence[Argument], applied: Sequence[Applied]) -> str:
    """Return `variant` under `applied` as an expression: a function of positional `arguments`."""
    return _function(variant, arguments, applied).text


def call_text(variant: str, arguments: Sequence[Argument], applied: Sequence[Applied]) -> str:
    """Return the call as Python: ``jax.jit(jax.vmap(f, in_axes=(0, None)))(x, key)``."""
    if not applied:
        return f"{variant}({_given(arguments)})"
    function = _function(variant, arguments, applied)
    return function.body or function.called(_names(arguments))


def statement_text(variant: str, arguments: Sequence[Argument], transforms: Transforms) -> str:
    """Return the call under the flags of `transforms`, on one line of Python."""
    call = call_text(variant, arguments, of_variant(transforms, variant))
    settings = _settings(transforms)
    return f"with {settings}: {call}" if settings else call


# -- one transform after another ----------------------------------------------------------------


def _function(variant: str, arguments: Sequence[Argument], applied: Sequence[Applied]) -> _Function:
    function = _Function(variant)
    if applied and any(each.by_name for each in arguments):
        function = _lambda(arguments, f"{variant}({_given(arguments)})")
    for each in applied:
        function = _around(function, each, arguments)
    return function


def _around(function: _Function, applied: Applied, arguments: Sequence[Argument]) -> _Function:
    if applied.name == "vmap":
        return _Function(f"jax.vmap({function.text}{_axes(applied, arguments)})")
    if applied.name == "grad":
        return _grad(function, applied, arguments)
    if applied.name == "jvp":
        return _jvp(function, applied, arguments)
    constant = [place for place, each in enumerate(arguments) if not each.is_array]
    static = f", static_argnums={_tuple([str(place) for place in constant])}" if constant else ""
    return _Function(f"jax.{applied.name}({function.text}{static})")


def _axes(applied: Applied, arguments: Sequence[Argument]) -> str:
    axes = list(chosen_axes(applied, arguments).values())
    given = "" if all(axis == 0 for axis in axes) else f", in_axes={_tuple([str(axis) for axis in axes])}"
    return given + (f", out_axes={applied.out_axes}" if applied.out_axes else "")


def _grad(function: _Function, applied: Applied, arguments: Sequence[Argument]) -> _Function:
    names = [each.name for each in arguments]
    argument = chosen_argument(applied, arguments)
    place = names.index(argument) if argument else 0
    if applied.summed:
        function = _lambda(arguments, f"{function.called(_names(arguments))}.sum()")
    return _Function(f"jax.grad({function.text}{f', argnums={place}' if place else ''})")


def _jvp(function: _Function, applied: Applied, arguments: Sequence[Argument]) -> _Function:
    name = chosen_argument(applied, arguments)
    is_tree = any(each.is_tree for each in arguments if each.name == name)
    ones = f"jax.tree.map(jax.numpy.ones_like, {name})" if is_tree else f"jax.numpy.ones_like({name})"
    inner = f"lambda {name}: {function.called(_names(arguments))}"
    return _lambda(arguments, f"jax.jvp({inner}, ({name},), ({ones},))")


def _lambda(arguments: Sequence[Argument], body: str) -> _Function:
    return _Function(f"lambda {_names(arguments)}: {body}", body)


def _names(arguments: Sequence[Argument]) -> str:
    return ", ".join(each.name for each in arguments)


def _given(arguments: Sequence[Argument]) -> str:
    return ", ".join(f"{each.name}={each.name}" if each.by_name else each.name for each in arguments)


def _tuple(items: Sequence[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _settings(transforms: Transforms) -> str:
    x64 = ["jax.enable_x64(True)"] if transforms.x64 else []
    return ", ".join(x64 + ([] if transforms.partitionable else ["jax.threefry_partitionable(False)"]))
