"""Loops and branches of jaxprs under tracing, whose bodies return more outputs; axes that devices compute jointly.

The additional outputs are a pytree of arrays whose shapes are the same in every trace of the body.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import Jaxpr, Literal, jaxprs_in_params
from jax.sharding import PartitionSpec

from explorer.worker.internals import jaxprs

Body = Callable[[Sequence[Any]], tuple[list[Any], Any]]
"""Return the outputs of a jaxpr for its arguments, and the additional outputs."""
Iteration = Callable[[Any, list[Any]], tuple[Any, list[Any], Any]]
"""Return the next predicate and carry for the current ones, and the additional outputs."""


def scan(
    parameters: dict[str, Any], arguments: Sequence[Any], body: Body, together: Callable[[Any, Any], Any] | None = None
) -> tuple[list[Any], Any]:
    """Return the outputs of a scan, and the additional outputs of its iterations, stacked along a new leading axis.

    With `together`, they are folded instead, starting from zeros; the scan must then have at least one iteration.
    """
    fixed, carry, slices = jaxprs.scan_parts(parameters, arguments)
    count, all_extra = len(carry), ()
    if together is not None:
        all_extra = zeros(jax.eval_shape(lambda: body([*fixed, *carry, *(each[0] for each in slices)])[1]))

    def one_iteration(state: Any, slices: list[Any]) -> tuple[Any, Any]:
        carry, all_extra = state
        outputs, extra = body([*fixed, *carry, *slices])
        if together is not None:
            all_extra, extra = together(all_extra, extra), ()
        return (outputs[:count], all_extra), (outputs[count:], extra)

    (carry, all_extra), (stacked, extra) = lax.scan(
        one_iteration,
        (carry, all_extra),
        slices,
        parameters["length"],
        reverse=parameters["reverse"],
        unroll=parameters["unroll"],
    )
    return [*carry, *stacked], extra if together is None else all_extra


def loop(
    predicate: Any,
    carry: list[Any],
    one_iteration: Iteration,
    all_extra: Any,
    keep: Callable[[Any, Any, Any], Any],
    most: int | None = None,
) -> tuple[list[Any], Any, Any]:
    """Return the final carry of a while that starts with `carry`, the all_extra outputs and the number of iterations.

    `keep(all_extra, extra, iteration number)` returns the new `all_extra`. The loop stops after `most` iterations.
    The number of iterations is uint32[].
    """

    def continues(state: Any) -> Any:
        count, predicate, *_ = state
        return jnp.any(predicate) if most is None else jnp.any(predicate) & (count < most)

    def step(state: Any) -> Any:
        count, predicate, carry, all_extra = state
        predicate, carry, extra = one_iteration(predicate, carry)
        return count + 1, predicate, carry, keep(all_extra, extra, count)

    count, _, carry, all_extra = lax.while_loop(continues, step, (jnp.uint32(0), predicate, carry, all_extra))
    return list(carry), all_extra, count


def still_running(predicate: Any, following: Sequence[Any], carry: Sequence[Any]) -> list[Any]:
    """Return the carry of a while after an iteration with the outputs `following`.

    Under vmap the predicate has an axis: examples that are done keep their values while others continue.
    """
    if not predicate.ndim:
        return list(following)
    return [where(predicate, new, old) for new, old in zip(following, carry, strict=True)]


def where(predicate: Any, new: Any, old: Any) -> Any:
    """Return `new` where `predicate` is true, else `old`; the axes of `predicate` are the leading axes of both."""
    return lax.select(lax.broadcast_in_dim(predicate, new.shape, tuple(range(predicate.ndim))), new, old)


def switch(arguments: Sequence[Any], bodies: Iterable[Body]) -> tuple[list[Any], list[Any]]:
    """Return the outputs of a cond, and for each branch its additional outputs: zeros unless it was taken.

    Each of `bodies` is traced before the next one is requested.
    """
    index, *operands = arguments
    branches, nothing = [], []
    for body in bodies:
        branches.append(body)
        nothing.append(zeros(jax.eval_shape(lambda *each, body=body: body(each)[1], *operands)))

    def taking(number: int) -> Callable[..., Any]:
        def take(*operands: Any) -> tuple[list[Any], list[Any]]:
            outputs, extra = branches[number](operands)
            return outputs, [*nothing[:number], extra, *nothing[number + 1 :]]

        return take

    outputs, extra = lax.switch(index, [taking(number) for number in range(len(branches))], *operands)
    return list(outputs), extra


def shard_map(parameters: dict[str, Any], arguments: Sequence[Any], body: Body) -> tuple[list[Any], Any]:
    """Return the outputs of a shard_map, and each device's additional outputs, stacked along a new leading axis.

    Of devices that compute one example together, and whose outputs do not vary, there is the first. See
    https://docs.jax.dev/en/latest/notebooks/shard_map.html.
    """
    axes, mesh = jaxprs.shard_map_axes(parameters), parameters["mesh"]
    joint = joint_axes(parameters)
    kept: list[bool] = []

    def on_device(*arguments: Any) -> tuple[tuple[Any, ...], Any]:
        outputs, extra = body(arguments)
        varying = [{*axes} - joint] + [jax.typeof(each).mat.varying for each in jax.tree.leaves(extra)]
        kept[:] = [name in set().union(*varying) for name in axes]
        # The program's collectives need types that vary, and the types of the additional outputs must vary, too.
        return tuple(outputs), jax.tree.map(
            lambda each: lax.pcast(each[None], tuple({*axes} - jax.typeof(each).mat.varying), to="varying"), extra
        )

    outputs, extra = jax.shard_map(
        on_device,
        mesh=mesh,
        in_specs=tuple(parameters["in_specs"]),
        out_specs=(tuple(parameters["out_specs"]), PartitionSpec(axes)),
        axis_names=set(axes),
        check_vma=parameters["check_vma"],
    )(*arguments)

    def of_first(each: Any) -> Any:
        by_axis = each.reshape(*(mesh.shape[name] for name in axes), *each.shape[1:])
        first = by_axis[tuple(slice(None) if stays else slice(1) for stays in kept)]
        return first.reshape(-1, *each.shape[1:])

    return list(outputs), jax.tree.map(of_first, extra)


def zeros(shapes: Any, leading: tuple[int, ...] = ()) -> Any:
    """Return zeros of the `shapes` in a pytree, behind the `leading` axes."""
    return jax.tree.map(lambda each: jnp.zeros((*leading, *each.shape), each.dtype), shapes)


# -- axes ------------------------------------------------------------------------------------------------------------


_CASTS = ("pvary", "pcast", "reshard")


def joint_axes(parameters: dict[str, Any]) -> frozenset[str]:
    """Return the axes over which a shard_map with these `parameters` never casts what it draws; none if JAX has none.

    Along these, devices compute one example together, so that they should draw the same numbers. JAX's types say over
    which axes an array varies, and JAX inserts a ``pvary`` where an array that does not vary meets one that does
    (https://docs.jax.dev/en/latest/notebooks/shard_map.html): noise for different examples is cast over their axis
    before it is used. Without JAX's check of varying axes there are no types to tell. A loop or a branch counts as if
    it cast all.
    """
    axes = frozenset(jaxprs.shard_map_axes(parameters))
    if not parameters["check_vma"]:
        return frozenset()
    jaxpr = getattr(parameters["jaxpr"], "jaxpr", parameters["jaxpr"])
    drawn, cast = _drawn(jaxpr, [False] * len(jaxpr.invars), axes)
    for is_drawn, spec in zip(drawn, parameters["out_specs"], strict=True):
        named = {name for part in spec if part for name in (part if isinstance(part, tuple) else (part,))}
        cast |= named if is_drawn else set()
    return axes - cast


def _drawn(jaxpr: Jaxpr, given: Sequence[bool], axes: frozenset[str]) -> tuple[list[bool], set[str]]:
    """Return whether each output of `jaxpr` is made of drawn numbers alone, and the axes over which such are cast."""
    known = {var for var, is_drawn in zip(jaxpr.invars, given, strict=True) if is_drawn}
    cast: set[str] = set()

    def is_drawn(atom: Any) -> bool:
        return not isinstance(atom, Literal) and atom in known

    for equation in jaxpr.eqns:
        name, inputs = equation.primitive.name, [is_drawn(atom) for atom in equation.invars]
        inner = list(jaxprs_in_params(equation.params))
        ends = [(len(each.invars), len(each.outvars)) for each in inner]
        if ends == [(len(inputs), len(equation.outvars))] and name not in ("scan", "while", "cond"):
            outputs, more = _drawn(inner[0], inputs, axes)
            cast |= more
            known |= {var for var, made in zip(equation.outvars, outputs, strict=True) if made}
        elif inner:
            cast |= axes if any(inputs) or jaxprs.carries_random(equation.params) else set()
        elif name == "random_bits":
            known |= {*equation.outvars}
        elif any(inputs):
            cast |= {*equation.params.get("axes", axes)} if name in _CASTS else set()
            others = [atom for atom, made in zip(equation.invars, inputs, strict=True) if not made]
            if all(isinstance(atom, Literal) or math.prod(getattr(atom.aval, "shape", ())) == 1 for atom in others):
                known |= {*equation.outvars}
    return [is_drawn(atom) for atom in jaxpr.outvars], cast
