"""Which inputs of a traced function its outputs depend on, by the leaves of its arguments and results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from jax.extend.core import Jaxpr, Literal, jaxprs_in_params

from explorer.worker.internals.jit.jit_traces import Asked

Path = tuple[int, ...]
"""Numbers of children, from the root of a pytree."""
_CALLS = {"jit", "pjit", "closed_call", "core_call", "checkpoint", "remat2", "remat"}
_CALLS |= {"custom_jvp_call", "custom_vjp_call"}


class Part(NamedTuple):
    """A subtree of all arguments, or of the result."""

    tree: Any
    start: int
    """The number of its first leaf."""

    @property
    def leaves(self) -> range:
        """Return the numbers of its leaves."""
        return range(self.start, self.start + self.tree.num_leaves)

    def child(self, number: int) -> Part:
        """Return a direct child."""
        children = self.tree.children()
        return Part(children[number], self.start + sum(each.num_leaves for each in children[:number]))

    def parts(self, path: Path = ()) -> Iterator[tuple[Path, Part]]:
        """Yield this subtree and all below it, with their paths."""
        yield path, self
        start = self.start
        for number, tree in enumerate(self.tree.children()):
            yield from Part(tree, start).parts((*path, number))
            start += tree.num_leaves

    def step(self, key: object) -> int | None:
        """Return the number of the child that Python calls `key`, an index or a name; None if unknown."""
        keys = self._keys()
        key = key + len(keys) if isinstance(key, int) and key < 0 else key
        return keys.index(key) if key in keys else None

    def access(self, path: Path) -> str:
        """Return how Python reads the part at `path`: ``[0].loss``; empty if unknown."""
        if not path:
            return ""
        keys, inner = self._keys(), self.child(path[0])
        rest = inner.access(path[1:])
        if not keys or (path[1:] and not rest):
            return ""
        is_field = hasattr(self.tree.node_data()[0], "_fields")
        return (f".{keys[path[0]]}" if is_field else f"[{keys[path[0]]!r}]") + rest

    def _keys(self) -> list[object]:
        """Return the indices or names of the children; empty if unknown."""
        kind, about = self.tree.node_data() or (None, ())
        count = len(self.tree.children())
        if kind in (tuple, list):
            return list(range(count))
        names = about if kind is dict else getattr(kind, "_fields", ())
        # A named tuple may be registered with other children than its fields.
        return list(names) if len(names) == count else []


class LeafFlow:
    """The flow through the program of one trace."""

    def __init__(self, asked: Asked) -> None:
        traced: Any = asked.result
        program, types = traced
        self._jaxpr: Jaxpr = program.jaxpr
        self.result = Part(types.tree, 0)
        self._count = len(self._jaxpr.invars)
        self._reached = self._flow(set())

    def _flow(self, cut: Collection[Any]) -> list[int]:
        return _flow(self._jaxpr, [1 << number for number in range(self._count)], self._count, cut)

    def kind(self, leaf: int, *, of_result: bool = False) -> tuple[Any, Any]:
        """Return shape and dtype of an input or output."""
        aval = (self._jaxpr.outvars if of_result else self._jaxpr.invars)[leaf].aval
        return getattr(aval, "shape", None), getattr(aval, "dtype", None)

    def are_alike(self, given: Part, made: Part) -> bool:
        """Return whether an argument and a result have one structure, and arrays of the same types."""
        pairs = zip(given.leaves, made.leaves, strict=False)
        return given.tree == made.tree and all(self.kind(one) == self.kind(two, of_result=True) for one, two in pairs)

    def changed(self, given: Part, made: Part, *, loops: bool = False) -> list[int]:
        """Return the inputs of `given` whose successors in `made` are computed from them; in no loop unless `loops`."""
        return [
            one
            for one, two in zip(given.leaves, made.leaves, strict=True)
            if self._jaxpr.outvars[two] is not self._jaxpr.invars[one]
            and self._reached[two] >> one & 1
            and (loops or not self._reached[two] >> self._count + one & 1)
        ]

    def uses(self, outputs: Collection[int], inputs: Collection[int], without: Part | None = None) -> bool:
        """Return whether any of `outputs` depends on any of `inputs`, other than through the results `without`."""
        mask = sum(1 << each for each in inputs)
        cut = {self._jaxpr.outvars[each] for each in without.leaves if not self._is_literal(each)} if without else ()
        reached = self._flow(cut) if cut else self._reached
        return any(reached[each] & mask for each in outputs)

    def _is_literal(self, output: int) -> bool:
        return isinstance(self._jaxpr.outvars[output], Literal)

    def outputs_beside(self, made: Part) -> list[int]:
        """Return all outputs that are not in `made`."""
        return [each for each in range(len(self._jaxpr.outvars)) if each not in made.leaves]


def _flow(jaxpr: Jaxpr, given: Sequence[int], count: int, cut: Collection[Any] = ()) -> list[int]:
    """Return, for each output, a bit for each input it depends on, and `count` bits further up if through a loop."""
    known: dict[Any, int] = dict(zip(jaxpr.invars, given, strict=True))
    for equation in jaxpr.eqns:
        inputs = [0 if isinstance(each, Literal) else known.get(each, 0) for each in equation.invars]
        if not any(inputs):
            continue
        inner, name = list(jaxprs_in_params(equation.params)), equation.primitive.name
        if name in _CALLS and len(inner) == 1 and len(inner[0].invars) == len(inputs):
            outputs = _flow(inner[0], inputs, count)
        else:
            together = 0
            for each in inputs:
                together |= each
            if name in ("scan", "while"):
                together |= (together & ((1 << count) - 1)) << count
            outputs = [together] * len(equation.outvars)
        known.update(
            (each, reached) for each, reached in zip(equation.outvars, outputs, strict=True) if each not in cut
        )
    return [0 if isinstance(each, Literal) else known.get(each, 0) for each in jaxpr.outvars]
