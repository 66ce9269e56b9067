"""Random programs with vmap in them: nested, along any axis, over trees, with loops, branches and draws inside.

A program is a nested tuple of operations on vectors of three and on keys. Each function that vmap maps in it notes one
example of its arguments, so that it can be traced by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

SIZE = 3
"""Of all vectors."""
FIRST_DRAW = 5
"""The length of the first draw; each draw of a program has its own length."""
_PLAIN = ("sin", "add", "mul", "dot", "relu", "sort", "pick", "put", "where", "outer", "split", "fold", "draw", "draw")
_WITH_ONE = ("scan", "while", "fori", "jit", "remat", "vmap", "vmap", "vmap_keys")


@dataclass
class Program:
    """A program, its arguments, and the arguments of its mapped functions in the last trace."""

    call: Callable[..., Any]
    inputs: dict[str, Any]
    mapped: list[tuple[Callable[..., Any], Any]] = field(default_factory=list)
    """Each mapped function, and the types of one example of its arguments."""


def make(seed: int, depth: int = 3) -> Program:
    """Return the random program number `seed`, its parts nested up to `depth`."""
    return _Maker(random.Random(seed), depth).program()


class _Maker:
    def __init__(self, dice: random.Random, depth: int) -> None:
        self._dice, self._depth = dice, depth
        self._draws = FIRST_DRAW
        self._mapped: list[tuple[Callable[..., Any], Any]] = []

    def program(self) -> Program:
        dice = self._dice
        block, size = self._block(self._depth), dice.choice((2, 4, 5))
        own_keys, axis, out = dice.random() < 0.5, dice.choice((0, 1, -1)), dice.choice((0, 1, -1))
        tree_axis = dice.choice(({"a": axis, "b": None}, axis))

        def one(x: Any, y: dict[str, Any], w: Any, key: Any, number: Any) -> Any:
            values = [x, y["a"], y["b"], w]
            return {"main": self._run(block, values, [key, jax.random.fold_in(key, number)]), "w": w * 2}

        in_axes = (axis, tree_axis, None, 0 if own_keys else None, 0)
        mapped = jax.vmap(self._noted(one), in_axes=in_axes, out_axes={"main": out, "w": 0})
        around = dice.choice(("nothing", "nothing", "jit", "scan"))

        def call(x: Any, y: Any, w: Any, key: Any, number: Any) -> Any:
            if around == "jit":
                return jax.jit(mapped)(x, y, w, key, number)
            if around == "scan":
                return jax.lax.scan(lambda c, _: (c, mapped(x, y, w + c, key, number)), 0.5, None, length=2)
            return mapped(x, y, w, key, number)

        wide = jnp.moveaxis(jnp.linspace(-1.0, 1.0, size * SIZE).reshape(size, SIZE), 0, axis)
        b = jnp.ones(SIZE) if isinstance(tree_axis, dict) else wide + 1
        key = jax.random.key(dice.randrange(1000))
        inputs = {
            "x": wide,
            "y": {"a": wide * 2, "b": b},
            "w": jnp.arange(SIZE) / 2,
            "key": jax.random.split(key, size) if own_keys else key,
            "number": jnp.arange(size),
        }
        return Program(call, inputs, self._mapped)

    def _noted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any) -> Any:
            types = jax.tree.map(lambda each: jax.ShapeDtypeStruct(each.shape, each.dtype), arguments)
            self._mapped.append((function, types))
            return function(*arguments)

        return noted

    def _block(self, depth: int) -> tuple[Any, ...]:
        kinds = [*_PLAIN, *(_WITH_ONE if depth else ()), *(("cond", "cond_same", "switch") if depth else ())]
        return tuple(self._operation(self._dice.choice(kinds), depth) for _ in range(self._dice.randint(2, 4)))

    def _operation(self, kind: str, depth: int) -> tuple[Any, ...]:
        dice = self._dice
        first, second, number = dice.randrange(9), dice.randrange(9), dice.randrange(3)
        if kind == "draw":
            self._draws += 1
            return kind, first, second, self._draws
        if kind in _PLAIN:
            return kind, first, second, number
        parts = 3 if kind == "switch" else 2 if kind.startswith("cond") else 1
        blocks = tuple(self._block(dice.randrange(depth)) for _ in range(parts))
        axes = dice.choice((0, 1, -1)), dice.choice((0, 1, -1)), dice.random() < 0.5
        return kind, first, second, number, blocks, axes

    def _run(self, block: tuple[Any, ...], values: list[Any], keys: list[Any]) -> Any:
        values, keys = list(values), list(keys)
        for kind, first, second, number, *rest in block:
            one, other, key = values[first % len(values)], values[second % len(values)], keys[first % len(keys)]
            if kind == "draw":
                # A product, so that no draw is dead code.
                values.append(other * (1.5 + jax.random.normal(key, (number,)).sum()))
            elif kind == "split":
                keys += list(jax.random.split(key, 2))
            elif kind == "fold":
                keys.append(jax.random.fold_in(key, number))
            elif kind in _PLAIN:
                values.append(_OPERATIONS[kind](one, other, number))
            else:
                values.append(getattr(self, f"_{kind}")(_Part(one, other, *rest, values, keys)))
        return values[-1]

    def _inside(self, part: _Part, *more: Any, block: int = 0) -> Any:
        return self._run(part.blocks[block], [*part.values, *more], part.keys)

    def _scan(self, part: _Part) -> Any:
        def step(carry: Any, each: Any) -> Any:
            made = self._inside(part, carry, part.other * each)
            return (carry + made if part.axes[2] else carry * 2), made

        last, every = jax.lax.scan(step, part.one, jnp.arange(2.0))
        return last + every.sum(0)

    def _while(self, part: _Part) -> Any:
        start = part.other.sum() if part.axes[2] else 0.0

        def step(state: Any) -> Any:
            return state[0] + 0.7, self._inside(part, state[1])

        return jax.lax.while_loop(lambda state: state[0] < 1, step, (jnp.minimum(start, 0.5), part.one))[1]

    def _fori(self, part: _Part) -> Any:
        return jax.lax.fori_loop(0, 2, lambda _, value: self._inside(part, value), part.one)

    def _jit(self, part: _Part) -> Any:
        function = jax.jit(lambda a, b, of: self._run(part.blocks[0], [a, b], of), inline=part.axes[2])
        return function(part.one, part.other, part.keys)

    def _remat(self, part: _Part) -> Any:
        function = jax.checkpoint(lambda a, of: self._run(part.blocks[0], [a, part.other], of))
        return function(part.one, part.keys)

    def _cond(self, part: _Part) -> Any:
        return jax.lax.cond(part.other.sum() > 0, *self._branches(part), part.one)

    def _cond_same(self, part: _Part) -> Any:
        """Take a branch that all examples share, by a value that the vmap of the outermost function does not map."""
        return jax.lax.cond(part.values[3 % len(part.values)].sum() > 1, *self._branches(part), part.one)

    def _switch(self, part: _Part) -> Any:
        return jax.lax.switch((part.other.sum() * 3).astype(int), self._branches(part), part.one)

    def _branches(self, part: _Part) -> list[Callable[[Any], Any]]:
        return [lambda each, block=block: self._inside(part, each, block=block) for block in range(len(part.blocks))]

    def _vmap(self, part: _Part) -> Any:
        one, other, out = part.one, part.other, part.axes[1]
        stacked = jnp.stack([one, other, one * other, one + 1], part.axes[0])
        function = self._noted(lambda a, b, of: self._run(part.blocks[0], [*of[0], a, b], of[1]))
        mapped = jax.vmap(function, in_axes=(part.axes[0], None, None), out_axes=out)
        return mapped(stacked, other, (part.values, part.keys)).sum(1 if out == 0 else 0)[:SIZE] + one

    def _vmap_keys(self, part: _Part) -> Any:
        one, other, out = part.one, part.other, part.axes[1]
        stacked = jnp.stack([other, one, one * 2], part.axes[0])
        function = self._noted(lambda key, tree: self._run(part.blocks[0], [*tree["x"], tree["w"][0]], [key]))
        mapped = jax.vmap(function, in_axes=(0, {"x": None, "w": (part.axes[0],)}), out_axes=out)
        keys = jax.random.split(part.keys[-1], 3)
        return mapped(keys, {"x": part.values, "w": (stacked,)}).sum(1 if out == 0 else 0) + one


class _Part(NamedTuple):
    """An operation with inner programs, and the values available at it."""

    one: Any
    other: Any
    blocks: tuple[Any, ...]
    axes: tuple[int, int, bool]
    values: list[Any]
    keys: list[Any]


_OPERATIONS: dict[str, Callable[[Any, Any, int], Any]] = {
    "sin": lambda one, _, number: jnp.sin(one) + number,
    "add": lambda one, other, _: one + other,
    "mul": lambda one, other, _: one * other,
    "dot": lambda one, other, number: jnp.outer(one, other) @ other if number else jnp.dot(one, other) + one,
    "relu": lambda one, other, _: jax.nn.relu(one) - other,
    "sort": lambda one, _, __: jnp.sort(one)[::-1],
    "pick": lambda one, other, number: one[(other.sum().astype(int) + number) % SIZE] * other,
    "put": lambda one, other, number: one.at[other.sum().astype(int) % SIZE].set(float(number)),
    "where": lambda one, other, number: jnp.where(one > number, one, other),
    "outer": lambda one, other, _: jnp.cumsum(one) + jnp.linalg.norm(other),
}
