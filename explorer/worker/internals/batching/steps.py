"""Which equations of a batched program each operation of one example became: noted while JAX traces it.

Each equation has a *chain*: for whom it was added to its jaxpr. A `Step` is an operation that met the tracers of a
vmap; a `Source` is an equation of another jaxpr that was being evaluated, as JAX does to batch what is inside a loop.
The chain of a source's equation goes on where that one was traced, down to what one example computes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jax.extend.core import JaxprEqn, Literal, Var

from explorer.worker.internals.spans import Position


class Mapped(NamedTuple):
    """One array that goes into or comes out of a vmap."""

    one: Any
    """Its type for one example."""
    batch: Any
    """Its type outside."""
    axis: int | None
    """Along which axis the examples lie, None where all share it."""


@dataclass(eq=False)
class Map:
    """One call of vmap."""

    size: int
    function: str
    called: list[Position]
    """Where it was called, innermost first; nothing for one of JAX's own."""
    names: tuple[str, ...] | None
    """Of `arguments`, where they are known."""
    arguments: list[Mapped] = field(default_factory=list)
    outputs: list[Mapped] = field(default_factory=list)

    @property
    def is_user_code(self) -> bool:
        """Whether it is none of JAX's own."""
        return bool(self.called)


Axes = tuple[tuple[int, int], ...]
"""Which axis of an array holds the examples of which vmap, outermost first: (the vmap, the axis).

A vmap is identified by its place among those around the value, counted from the innermost, which is 1; 0 is JAX's
own. JAX batches a jaxpr once for all vmaps of one size, so that its tracers do not tell which vmap they are for.
"""


class Placed(NamedTuple):
    """A value as one example sees it, and where the jaxpr that is traced has it for all of them."""

    one: Any
    """Its type, of the outputs of a step."""
    variable: Var | None
    """None for a constant."""
    axes: Axes
    depth: int
    """How many vmaps were seen around it."""


@dataclass(eq=False, slots=True)
class Step:
    """One operation of one example."""

    primitive: str
    parameters: dict[str, Any]
    """As for one example; none of a call of a Python function."""
    enclosing: tuple[Map, ...]
    """The vmaps around it in the same jaxpr, outermost first, whether or not they map anything that it reads."""
    operands: tuple[Placed, ...]
    outputs: tuple[Placed, ...] = ()


class Source(NamedTuple):
    """An equation that is evaluated."""

    equation: JaxprEqn
    evaluation: object
    """The same for all equations of one evaluation of a jaxpr."""


class Leaving:
    """The moves of an example axis to its final position, as ``out_axes`` and loops need them."""


Chain = tuple[Step | Source | Leaving, ...]


_ENOUGH = 8


class Origin(NamedTuple):
    """The operation of one example that an equation stems from."""

    step: Step
    within: tuple[object, ...]
    """Tells two evaluations of one and the same operation apart."""
    enclosing: tuple[Map, ...]
    inlined: Chain
    """The rest of the chain where the equation belongs to a jaxpr inside the operation that was evaluated in place."""
    source: JaxprEqn | None
    """The operation as an equation of what one example computes, where there is such a jaxpr."""

    @property
    def identity(self) -> tuple[object, ...]:
        """Return what two equations share that stem from the same operation."""
        return (*map(id, self.within), id(self.step))


class Steps:
    """The recorded batching steps of one program."""

    def __init__(self) -> None:
        self.chains: dict[object, Chain] = {}
        self._images: dict[Var, list[Placed]] = {}
        """Of each variable of a jaxpr that was evaluated what it became."""
        self._made_from: dict[Var, list[tuple[Var, Placed]]] = {}
        """The other way round."""

    def chain(self, equation: Any) -> Chain:
        """Return the chain of `equation`."""
        return self.chains.get(key_of(equation), ())

    def origin(self, chain: Chain, around: int) -> Origin | None:
        """Return the operation at the beginning of `chain`, None where no vmap has to do with it.

        The jaxpr that it is in was batched for `around` vmaps. More than these were JAX's own.
        """
        if not chain or isinstance(chain[0], Leaving):
            return None
        first, rest = chain[0], chain[1:]
        inlined = _from_source(rest)
        if isinstance(first, Source):
            return self._of_source(first, rest, around)
        if inlined and first.parameters.get("inline"):
            # jit leaves nothing of a function that is to be inlined, with and without a vmap around it.
            within = self.origin(inlined, len(first.enclosing))
            return within and within._replace(enclosing=within_vmaps(first.enclosing, within.enclosing), source=None)
        return Origin(first, (), first.enclosing, inlined, None)

    def _of_source(self, source: Source, rest: Chain, around: int) -> Origin | None:
        before = self.chain(source.equation)
        if self._only_moves(before):
            return None
        outer = next((each.enclosing for each in rest if isinstance(each, Step)), ())
        left = around - len(outer)
        is_batched = len(before) > 1 and isinstance(before[0], Source)
        inner = None if is_batched and left <= 0 else self.origin(before, left)
        if inner is None:
            plain = self.origin(rest, around)
            return plain and plain._replace(source=source.equation)
        return Origin(
            inner.step,
            (source.evaluation, *inner.within),
            (*outer, *inner.enclosing),
            inner.inlined or _from_source(rest),
            inner.source,
        )

    def _only_moves(self, chain: Chain) -> bool:
        while chain and isinstance(chain[0], Source):
            chain = self.chain(chain[0].equation)
        return bool(chain) and isinstance(chain[0], Leaving)

    def note_image(self, variable: Var, value: Placed) -> None:
        """Note what `variable` of a jaxpr that is evaluated becomes."""
        if value.variable is not None:
            self._images.setdefault(variable, []).append(value)
            self._made_from.setdefault(value.variable, []).append((variable, value))

    def placed_in(self, variables: Collection[Var], value: Placed, around: int) -> Placed | None:
        """Return `value` as one of the `variables`, which at most `around` vmaps are around, has it in the end.

        None where none of them does.
        """
        if value.variable is None or value.variable in variables:
            return value
        return next((found for each in variables if (found := self._from(each, value, around))), None)

    def _from(self, variable: Var, value: Placed, around: int) -> Placed | None:
        """Return `value` as `variable` has it, None where it is something else."""
        if variable is value.variable:
            return value
        for before, image in self._made_from.get(variable, ()):
            found = self._from(before, value, around - image.depth) if around >= image.depth else None
            if found is not None:
                return _seen(image, found)
        return None

    def placed_anywhere(self, variables: Collection[Var], value: Placed, around: int) -> Placed | None:
        """Return the same for many `variables`, where any will do of those that evaluate one jaxpr."""
        if value.variable is None or value.variable in variables:
            return value
        for image in self._images.get(value.variable, ())[:_ENOUGH]:
            if value.depth + image.depth <= around:
                found = self.placed_anywhere(variables, _seen(image, value), around)
                if found is not None:
                    return found
        return None


def _seen(image: Placed, value: Placed) -> Placed:
    """Return `value` after a further evaluation, which made `image` of its variable."""
    outer = tuple([(of and of + value.depth, axis) for of, axis in image.axes])
    return Placed(value.one, image.variable, _composed(outer, value.axes), value.depth + image.depth)


def within_vmaps(outer: tuple[Map, ...], enclosing: tuple[Map, ...]) -> tuple[Map, ...]:
    """Return the vmaps around what stands inside an operation with those of `outer` around it.

    JAX's batching of a jaxpr does not tell vmaps of one size apart; where the jaxpr stands tells it.
    """
    return (*outer, *enclosing[len(outer) :])


def key_of(equation: Any) -> object:
    """Return what tells `equation` from all others, while it is traced and afterwards."""
    return equation.outvars[0] if equation.outvars else id(equation.params)


def variables_of(jaxpr: Any) -> set[Var]:
    """Return all variables that `jaxpr` itself binds."""
    bound = (each for equation in jaxpr.eqns for each in equation.outvars)
    return {each for each in (*jaxpr.invars, *jaxpr.constvars, *bound) if not isinstance(each, Literal)}


def _from_source(chain: Chain) -> Chain:
    for place, entry in enumerate(chain):
        if isinstance(entry, Source):
            return chain[place:]
    return ()


def _composed(outer: Axes, inner: Axes) -> Axes:
    """Return where the axes of `inner` are once those of `outer` were put in between, and these."""
    if not inner or not outer:
        return inner or outer
    taken = {place for _, place in outer}
    found = []
    for each, place in inner:
        free = (number for number in range(place + len(taken) + 1) if number not in taken)
        found.append((each, next(number for count, number in enumerate(free) if count == place)))
    return (*outer, *found)
