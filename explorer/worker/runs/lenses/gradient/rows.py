"""The gradient lens on request: the gradient of each example, or the Jacobian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Literal, jaxpr_as_fun

from explorer.messages.lenses import Extra
from explorer.text.text import NOTHING, Text, say
from explorer.worker.internals.batching.axes import BatchAxes
from explorer.worker.internals.value_checks import may_run_again
from explorer.worker.pictures import pictures
from explorer.worker.program.program import traced as traced_program
from explorer.worker.runs.lenses.gradient.facts import Gradient
from explorer.worker.runs.lenses.gradient.trace import ArgumentArray, Call, is_real

MOST_SIDE = 64
"""Largest number of rows and of columns of a Jacobian."""
MOST_NUMBERS = 1_000_000
"""Largest number of elements in the gradients of all examples together."""
_PASSED = ("mul", "div", "neg", "convert_element_type", "reshape", "squeeze", "copy")
"""Operations allowed between a sum over the examples and the output, with a constant."""


def rows(gradient: Gradient, call: Call, inputs: Mapping[str, Any]) -> Extra:
    """Return the gradient of each example, or the Jacobian, or a sentence why there is neither. It may raise."""
    leaves = gradient.traced.leaves
    if not may_run_again(gradient.traced.both.jaxpr):
        return Extra(sentence=say("The program has side effects, so it is not run again: its values are not known."))
    axes = BatchAxes()
    with axes.watching_traces():
        whole, _ = traced_program(call, inputs)
    axes.carry_on(whole.jaxpr)
    program = _unwrapped(whole)
    found = _examples(program, axes) if gradient.traced.linked else None
    if found is not None:
        return _of_examples(*found, leaves)
    return _jacobian(program, leaves)


def _examples(program: ClosedJaxpr, axes: BatchAxes) -> tuple[ClosedJaxpr, int, bool] | None:
    """Return the program up to a float array with examples, the example axis, and whether the examples are summed.

    None if no array with examples is returned, or summed for the output.
    """
    real = [each for each in program.jaxpr.outvars if is_real(each.aval)]
    if len(real) != 1 or isinstance(real[0], Literal):
        return None
    if axes.of(real[0]):
        return _ending_in(program, real[0]), axes.of(real[0])[0], False
    makers = {output: equation for equation in program.jaxpr.eqns for output in equation.outvars}
    variable = real[0]
    while variable in makers:
        equation = makers[variable]
        operands = [each for each in equation.invars if not isinstance(each, Literal)]
        if len(operands) != 1:
            return None
        if equation.primitive.name == "reduce_sum":
            along = axes.of(operands[0])
            summed = along and along[0] in equation.params["axes"]
            return (_ending_in(program, operands[0]), along[0], True) if summed else None
        if equation.primitive.name not in _PASSED:
            return None
        variable = operands[0]
    return None


def _ending_in(program: ClosedJaxpr, variable: Any) -> ClosedJaxpr:
    # It has names for all outputs.
    information = program.jaxpr.debug_info._replace(result_paths=None)
    part = program.jaxpr.replace(outvars=[variable], debug_info=information)
    # Since JAX 0.11 every jaxpr is closed.
    return part if isinstance(part, ClosedJaxpr) else ClosedJaxpr(part, program.consts)


def _of_examples(program: ClosedJaxpr, axis: int, summed: bool, leaves: Sequence[ArgumentArray]) -> Extra:
    shape = program.out_avals[0].shape
    count = shape[axis]
    taken = [leaf for leaf in leaves if leaf.is_taken and is_real(leaf.value)]
    # The cotangent of each example is as large as the output.
    size = count * (sum(leaf.value.size for leaf in taken) + int(np.prod(shape, dtype=np.int64)))
    if not count or size > MOST_NUMBERS:
        return Extra(
            sentence=say(
                "The gradients of all {count} examples take {size} numbers, more than {most}: they are not computed.",
                count=f"{count:,}",
                size=f"{size:,}",
                most=f"{MOST_NUMBERS:,}",
            )
        )
    ones = np.zeros((count, *shape), np.float32)
    np.moveaxis(ones, 1 + axis, 1)[np.arange(count), np.arange(count)] = 1
    slopes = _slopes(program, leaves, ones)
    found = [_own(slope, leaf) for slope, leaf in zip(slopes, taken, strict=True)]
    names = [say("gradient of {name}", name=leaf.name) for leaf in taken]
    made = (pictures.value(name, each, (0,)) for name, each in zip(names, found, strict=True))
    if summed:
        sentence = say("Row i is the gradient of the part that example i adds to the sum.")
    else:
        sentence = say("Row i is the gradient of the output for example i.")
    return Extra(pictures=tuple(each for each in made if each is not None), sentence=sentence)


def _own(slopes: Any, leaf: ArgumentArray) -> Any:
    """Return each example's own slice of its slopes, if all its other slopes are zero; else `slopes` unchanged.

    [examples, *shape of the leaf] becomes [examples, *shape without the axis of the examples].
    """
    values, count = np.asarray(slopes), len(slopes)
    for axis, length in enumerate(leaf.value.shape):
        if length == count > 1:
            blocks = np.moveaxis(values, 1 + axis, 1)
            off_diagonal = ~np.eye(count, dtype=bool)
            if blocks.any() and not blocks[off_diagonal].any():
                return jnp.asarray(blocks[np.arange(count), np.arange(count)])
    return slopes


def no_jacobian(program: ClosedJaxpr, leaves: Sequence[ArgumentArray]) -> Text:
    """Return why the Jacobian of `program` is not shown; nothing where it is."""
    outputs, taken = _outputs(program), _taken(leaves)
    if len(outputs) != 1 or isinstance(outputs[0], Literal):
        return say("A Jacobian needs one array of floats as the output, and this program returns something else.")
    height, width = outputs[0].aval.size, sum(leaf.value.size for leaf in taken)
    if 0 < height <= MOST_SIDE and 0 < width <= MOST_SIDE:
        return NOTHING
    return say(
        "The Jacobian would be {height} × {width} numbers; up to {most} × {most} are shown.",
        height=f"{height:,}",
        width=f"{width:,}",
        most=MOST_SIDE,
    )


def _outputs(program: ClosedJaxpr) -> list[Any]:
    return [each for each in program.jaxpr.outvars if is_real(each.aval)]


def _taken(leaves: Sequence[ArgumentArray]) -> list[ArgumentArray]:
    return [leaf for leaf in leaves if leaf.is_taken and is_real(leaf.value)]


def _jacobian(program: ClosedJaxpr, leaves: Sequence[ArgumentArray]) -> Extra:
    if why := no_jacobian(program, leaves):
        return Extra(sentence=why)
    (output,), taken = _outputs(program), _taken(leaves)
    height, shape = output.aval.size, output.aval.shape
    ones = np.eye(height, dtype=np.float32).reshape(height, *shape)
    slopes = _slopes(_ending_in(program, output), leaves, ones)
    matrix = jnp.concatenate([jnp.reshape(each, (height, -1)) for each in slopes], axis=1)
    picture = pictures.value("Jacobian", matrix)
    sentence = say(
        "Row i is the gradient of element i of the output; the columns are {names}. The gradient of the sum is the "
        "sum of the rows.",
        names=", ".join(f"{leaf.name} [{leaf.value.size}]" for leaf in taken),
    )
    return Extra(pictures=(picture,) if picture is not None else (), sentence=sentence)


def _slopes(program: ClosedJaxpr, leaves: Sequence[ArgumentArray], cotangents: Any) -> list[Any]:
    """Return the pullback of each row of `cotangents`, [rows, *shape], for each differentiated real leaf."""
    function = jaxpr_as_fun(program)
    is_moved = [leaf.is_taken and is_real(leaf.value) for leaf in leaves]

    def of(moved: list[Any]) -> Any:
        rest = iter(moved)
        values = [next(rest) if moves else leaf.value for leaf, moves in zip(leaves, is_moved, strict=True)]
        return function(*values)[0]

    def all_rows(moved: list[Any], cotangents: Any) -> Any:
        output, pullback = jax.vjp(of, moved)
        return jax.vmap(lambda each: pullback(each)[0])(cotangents.astype(output.dtype))

    moved = [jnp.asarray(leaf.value) for leaf, moves in zip(leaves, is_moved, strict=True) if moves]
    # As one program: otherwise each operation would be compiled on its own.
    found: list[Any] = jax.jit(all_rows)(moved, jnp.asarray(cotangents))
    return found


def _unwrapped(program: ClosedJaxpr) -> ClosedJaxpr:
    """Return the inner jaxpr if `program` is a single jit."""
    while len(program.jaxpr.eqns) == 1:
        (equation,) = program.jaxpr.eqns
        is_all = list(equation.invars) == list(program.jaxpr.invars) and list(equation.outvars) == list(
            program.jaxpr.outvars
        )
        if equation.primitive.name != "jit" or not is_all:
            return program
        program = equation.params["jaxpr"]
    return program
