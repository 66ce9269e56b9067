"""The equations that each per-example operation became in a batched program, recorded while JAX traces it.

Each equation has a *chain*: the reasons for which it was added to its jaxpr. A `BatchingStep` is an operation on the
tracers of a vmap; a `CurrentEquation` is an equation of another jaxpr under evaluation, which is how JAX batches the
body of a loop. The chain of that equation continues in the trace of that equation, down to the per-example operation.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec
from jax.extend.core import JaxprEqn, Literal, Var

from explorer.worker.internals.spans import Position


class MappedArray(NamedTuple):
    """One array that enters or leaves a vmap."""

    one: Any
    """Its type for one example."""
    batch: Any
    """Its type outside of the vmap."""
    axis: int | None
    """The axis of the examples, None if all share the array."""


class VmapCall(msgspec.Struct, eq=False):
    """One call of vmap."""

    size: int
    function: str
    called: list[Position]
    """The calling positions, innermost first; empty for a vmap inside JAX."""
    names: tuple[str, ...] | None
    """The names of `arguments`, if known."""
    arguments: list[MappedArray] = []
    outputs: list[MappedArray] = []

    @property
    def is_user_code(self) -> bool:
        """Whether user code, not JAX itself, called it."""
        return bool(self.called)


Axes = tuple[tuple[int, int], ...]
"""Pairs (vmap, axis) for the example axes of an array, outermost first.

A vmap is numbered among those around the value, from 1 for the innermost; 0 stands for a vmap inside JAX. JAX batches a
jaxpr once for all vmaps of one size, so its tracers do not identify the vmap.
"""


class ExampleValue(NamedTuple):
    """A value as one example sees it, and its location in the traced jaxpr of the batch."""

    one: Any
    """Its per-example type; only for outputs of a step."""
    variable: Var | None
    """None for a constant."""
    axes: Axes
    depth: int
    """Number of vmaps seen around it."""


class BatchingStep(msgspec.Struct, eq=False):
    """One per-example operation."""

    primitive: str
    parameters: dict[str, Any]
    """Parameters for one example; empty for a call of a Python function."""
    enclosing: tuple[VmapCall, ...]
    """The vmaps around it in the same jaxpr, outermost first, even if they map none of its operands."""
    operands: tuple[ExampleValue, ...]
    outputs: tuple[ExampleValue, ...] = ()


class CurrentEquation(NamedTuple):
    """An equation under evaluation."""

    equation: JaxprEqn
    evaluation: object
    """Shared by all equations of one evaluation of a jaxpr."""


class AxisMove:
    """Moves of an example axis to its final position, for ``out_axes`` and loops."""


Chain = tuple[BatchingStep | CurrentEquation | AxisMove, ...]


_ENOUGH = 8


class EquationOrigin(NamedTuple):
    """The per-example operation behind an equation."""

    step: BatchingStep
    within: tuple[object, ...]
    """Distinguishes evaluations of the same operation."""
    enclosing: tuple[VmapCall, ...]
    inlined: Chain
    """The rest of the chain if the equation belongs to a jaxpr that was evaluated inline inside the operation."""
    source: JaxprEqn | None
    """The operation as an equation of the per-example jaxpr, if there is one."""

    @property
    def identity(self) -> tuple[object, ...]:
        """The identity shared by all equations of one operation."""
        return (*map(id, self.within), id(self.step))


class BatchingSteps:
    """The recorded batching steps of one program."""

    def __init__(self) -> None:
        self.chains: dict[object, Chain] = {}
        self._images: dict[Var, list[ExampleValue]] = {}
        """For each variable of an evaluated jaxpr, its images."""
        self._made_from: dict[Var, list[tuple[Var, ExampleValue]]] = {}
        """The inverse of `_images`."""

    def chain(self, equation: Any) -> Chain:
        return self.chains.get(key_of(equation), ())

    def origin(self, chain: Chain, around: int) -> EquationOrigin | None:
        """Return the operation at the start of `chain`, or None if no vmap is involved.

        Its jaxpr was batched for `around` vmaps; vmaps beyond these belong to JAX.
        """
        if not chain or isinstance(chain[0], AxisMove):
            return None
        first, rest = chain[0], chain[1:]
        inlined = _from_source(rest)
        if isinstance(first, CurrentEquation):
            return self._of_source(first, rest, around)
        if inlined and first.parameters.get("inline"):
            # jit leaves no trace of a function to be inlined, with or without a vmap around it.
            within = self.origin(inlined, len(first.enclosing))
            return within and within._replace(enclosing=within_vmaps(first.enclosing, within.enclosing), source=None)
        return EquationOrigin(first, (), first.enclosing, inlined, None)

    def _of_source(self, source: CurrentEquation, rest: Chain, around: int) -> EquationOrigin | None:
        before = self.chain(source.equation)
        if self._only_moves(before):
            return None
        outer = next((each.enclosing for each in rest if isinstance(each, BatchingStep)), ())
        left = around - len(outer)
        is_batched = len(before) > 1 and isinstance(before[0], CurrentEquation)
        inner = None if is_batched and left <= 0 else self.origin(before, left)
        if inner is None:
            plain = self.origin(rest, around)
            return plain and plain._replace(source=source.equation)
        return EquationOrigin(
            inner.step,
            (source.evaluation, *inner.within),
            (*outer, *inner.enclosing),
            inner.inlined or _from_source(rest),
            inner.source,
        )

    def _only_moves(self, chain: Chain) -> bool:
        while chain and isinstance(chain[0], CurrentEquation):
            chain = self.chain(chain[0].equation)
        return bool(chain) and isinstance(chain[0], AxisMove)

    def note_image(self, variable: Var, value: ExampleValue) -> None:
        """Record the image of `variable` of a jaxpr under evaluation."""
        if value.variable is not None:
            self._images.setdefault(variable, []).append(value)
            self._made_from.setdefault(value.variable, []).append((variable, value))

    def placed_in(self, variables: Collection[Var], value: ExampleValue, around: int) -> ExampleValue | None:
        """Return `value` in terms of one of the `variables`, with at most `around` vmaps around it, or None."""
        if value.variable is None or value.variable in variables:
            return value
        return next((found for each in variables if (found := self._from(each, value, around))), None)

    def _from(self, variable: Var, value: ExampleValue, around: int) -> ExampleValue | None:
        """Return `value` in terms of `variable`, or None if it is another value."""
        if variable is value.variable:
            return value
        for before, image in self._made_from.get(variable, ()):
            found = self._from(before, value, around - image.depth) if around >= image.depth else None
            if found is not None:
                return _seen(image, found)
        return None

    def placed_anywhere(self, variables: Collection[Var], value: ExampleValue, around: int) -> ExampleValue | None:
        """Return `value` in terms of any of the `variables`; all evaluations of one jaxpr are equivalent here."""
        if value.variable is None or value.variable in variables:
            return value
        for image in self._images.get(value.variable, ())[:_ENOUGH]:
            if value.depth + image.depth <= around:
                found = self.placed_anywhere(variables, _seen(image, value), around)
                if found is not None:
                    return found
        return None


def _seen(image: ExampleValue, value: ExampleValue) -> ExampleValue:
    """Return `value` after a further evaluation, which made `image` of its variable."""
    outer = tuple([(of and of + value.depth, axis) for of, axis in image.axes])
    return ExampleValue(value.one, image.variable, _composed(outer, value.axes), value.depth + image.depth)


def within_vmaps(outer: tuple[VmapCall, ...], enclosing: tuple[VmapCall, ...]) -> tuple[VmapCall, ...]:
    """Return the vmaps around a nested operation, with `outer` as the outermost ones.

    JAX's batching of a jaxpr does not distinguish vmaps of one size; the position of the jaxpr does.
    """
    return (*outer, *enclosing[len(outer) :])


def key_of(equation: Any) -> object:
    """Return a key that identifies `equation` during and after the trace."""
    return equation.outvars[0] if equation.outvars else id(equation.params)


def variables_of(jaxpr: Any) -> set[Var]:
    """Return all variables bound by `jaxpr` itself."""
    bound = (each for equation in jaxpr.eqns for each in equation.outvars)
    return {each for each in (*jaxpr.invars, *jaxpr.constvars, *bound) if not isinstance(each, Literal)}


def _from_source(chain: Chain) -> Chain:
    for place, entry in enumerate(chain):
        if isinstance(entry, CurrentEquation):
            return chain[place:]
    return ()


def _composed(outer: Axes, inner: Axes) -> Axes:
    """Return the axes of `inner`, renumbered after inserting those of `outer`, preceded by the latter."""
    if not inner or not outer:
        return inner or outer
    taken = {place for _, place in outer}
    found = []
    for each, place in inner:
        free = (number for number in range(place + len(taken) + 1) if number not in taken)
        found.append((each, next(number for count, number in enumerate(free) if count == place)))
    return (*outer, *found)
