"""Random programs on random keys, run by JAX and, one key at a time, by plain Python.

A program is a nested tuple; it takes a key and a number and returns a number. `as_jax` builds it with JAX's loops,
branches and transformations. `as_python` executes the same tuple in plain Python, and notes every use of a key. The two
share nothing but the tuple, so that the recorder's findings can be compared with the notes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Program = tuple[Any, ...]
Use = tuple[str, bytes]
"""(operation, key data)"""

_LEAVES = ("normal", "uniform", "gamma")
_WITH_ONE = ("fold_in", "jit", "remat", "custom_jvp", "value_and_grad", "jvp", "raw", "while", "fori", "scan", "map")


def make(seed: int, depth: int = 3) -> Program:
    """Return the random program number `seed`, its parts nested up to `depth`."""
    return _make(random.Random(seed), depth, {"cond", "while"})


def _make(dice: random.Random, depth: int, allowed: set[str]) -> Program:
    if depth == 0:
        return (dice.choice(_LEAVES),)
    kinds = ["split", "split", "both", "vmap", "vmap_columns", "shared", *_WITH_ONE]
    kinds += ["cond", "cond", "switch"] if "cond" in allowed else []
    kind = dice.choice([each for each in kinds if each != "while" or "while" in allowed])
    # Examples that share a key and take different branches are another matter, with tests of its own. And JAX has no
    # reverse derivative of a while.
    inside = set() if kind == "shared" else allowed - {"while"} if kind == "value_and_grad" else allowed

    def part() -> Program:
        return _make(dice, dice.randrange(depth), inside)

    if kind == "split":
        children = dice.randint(1, 3)
        return (kind, children + dice.randrange(2), *(part() for _ in range(children)))
    if kind in ("both", "cond"):
        return (kind, part(), part())
    if kind == "switch":
        return (kind, part(), part(), part())
    return (kind, dice.randint(1, 3), part())


# -- by JAX -----------------------------------------------------------------------------------


def as_jax(program: Program) -> Callable[[Any, Any], Any]:
    """Return `program` as a function of (key, number) that JAX can transform."""
    kind, *rest = program
    return _BUILDERS[kind](*(as_jax(each) if isinstance(each, tuple) else each for each in rest))


def run(program: Program, key: Any) -> Any:
    """Return the output of `program`, with this file as user code."""
    return as_jax(program)(key, 1.0)


def _sampler(sample: Callable[[Any], Any]) -> Callable[[], Callable[[Any, Any], Any]]:
    # A product, so that the noise is needed again by a derivative and is never dead code.
    return lambda: lambda key, x: x * (1.5 + 0.1 * sample(key))


def _split(count: int, *parts: Any) -> Any:
    def run(key: Any, x: Any) -> Any:
        for child, part in zip(jax.random.split(key, count), parts, strict=False):
            x = part(child, x)
        return x

    return run


def _cond(yes: Any, no: Any) -> Any:
    return lambda key, x: jax.lax.cond(_dice(key, 2) == 1, yes, no, jax.random.fold_in(key, 1), x)


def _switch(*parts: Any) -> Any:
    return lambda key, x: jax.lax.switch(_dice(key, len(parts)), parts, jax.random.fold_in(key, 1), x)


def _while(_: int, part: Any) -> Any:
    def run(key: Any, x: Any) -> Any:
        iterations = _dice(key, 4)

        def body(state: Any) -> Any:
            count, key, x = state
            key, sub = jax.random.split(key)
            return count + 1, key, part(sub, x)

        return jax.lax.while_loop(lambda state: state[0] < iterations, body, (0, jax.random.fold_in(key, 1), x))[2]

    return run


def _scan(count: int, part: Any) -> Any:
    def body(state: Any, _: None) -> Any:
        key, sub = jax.random.split(state[0])
        return (key, part(sub, state[1])), None

    return lambda key, x: jax.lax.scan(body, (key, x), None, count)[0][1]


def _custom_jvp(_: int, part: Any) -> Any:
    function = jax.custom_jvp(lambda x, key: part(key, x))
    function.defjvp(lambda primals, tangents: (function(*primals), 2 * tangents[0]))
    return lambda key, x: function(x, key)


def _dice(key: Any, sides: int) -> Any:
    return (jax.random.bits(jax.random.fold_in(key, 99)) % sides).astype(int)


def _mean(values: Any) -> Any:
    return jnp.mean(values)


def _value_and_grad(_: int, part: Any) -> Any:
    return lambda key, x: sum(jax.value_and_grad(lambda x: part(key, x))(x))


def _raw(_: int, part: Any) -> Any:
    return lambda key, x: part(jax.random.wrap_key_data(jax.random.split(jax.random.key_data(key))[1]), x)


_BUILDERS: dict[str, Callable[..., Callable[[Any, Any], Any]]] = {
    "normal": _sampler(jax.random.normal),
    "uniform": _sampler(jax.random.uniform),
    "gamma": _sampler(lambda key: jax.random.gamma(key, 2.0)),
    "split": _split,
    "both": lambda first, second: lambda key, x: second(key, first(key, x)),
    "fold_in": lambda data, part: lambda key, x: part(jax.random.fold_in(key, data), x),
    "cond": _cond,
    "switch": _switch,
    "while": _while,
    "scan": _scan,
    "fori": lambda count, part: (
        lambda key, x: jax.lax.fori_loop(0, count, lambda i, x: part(jax.random.fold_in(key, i), x), x)
    ),
    "map": lambda count, part: (
        lambda key, x: _mean(jax.lax.map(lambda key: part(key, x), jax.random.split(key, count)))
    ),
    "vmap": lambda count, part: (
        lambda key, x: _mean(jax.vmap(part, in_axes=(0, None))(jax.random.split(key, count), x))
    ),
    "vmap_columns": lambda count, part: (
        lambda key, x: _mean(
            jax.vmap(lambda keys, x: part(keys[1], part(keys[0], x)), in_axes=(1, None))(
                jax.random.split(key, (2, count)), x
            )
        )
    ),
    "shared": lambda count, part: (
        lambda key, x: _mean(jax.vmap(part, in_axes=(None, 0))(key, x + jnp.arange(float(count))))
    ),
    "jit": lambda _, part: jax.jit(part),
    "remat": lambda _, part: jax.checkpoint(part),
    "custom_jvp": _custom_jvp,
    "value_and_grad": _value_and_grad,
    "jvp": lambda _, part: lambda key, x: sum(jax.jvp(lambda x: part(key, x), (x,), (x,))),
    "raw": _raw,
}


# -- by plain Python --------------------------------------------------------------------------


def as_python(program: Program, key: Any) -> list[Use]:
    """Return every draw, split and fold_in that `program` does with `key` and the keys it makes of it."""
    return _uses(program, key)


Found = list[Use]


def _data(key: Any) -> bytes:
    return np.asarray(jax.random.key_data(key)).tobytes()


def _uses(program: Program, key: Any) -> Found:
    kind, *rest = program
    if kind in _LEAVES:
        return [("draw", _data(key))]
    if kind == "split":
        children = jax.random.split(key, rest[0])
        found: Found = [("split", _data(key))]
        for child, part in zip(children, rest[1:], strict=False):
            found += _uses(part, child)
        return found
    if kind == "both":
        return _uses(rest[0], key) + _uses(rest[1], key)
    if kind in ("cond", "switch"):
        thrown, found = _throw(key, 2 if kind == "cond" else 3)
        chosen = 1 - thrown if kind == "cond" else thrown
        folded, own = _fold(key, 1)
        return found + own + _uses(rest[chosen], folded)
    return _uses_of_one(kind, rest[0], rest[1], key)


def _uses_of_one(kind: str, count: int, part: Program, key: Any) -> Found:
    """Return the uses of a program with one part."""
    if kind == "fold_in":
        folded, found = _fold(key, count)
        return found + _uses(part, folded)
    if kind == "raw":
        return [("split", _data(key)), *_uses(part, jax.random.split(key)[1])]
    if kind in ("scan", "while", "fori"):
        return _uses_of_loop(kind, count, part, key)
    if kind == "vmap_columns":
        keys = [each for pair in jax.random.split(key, (2, count)).T for each in pair]
    elif kind in ("vmap", "map"):
        keys = list(jax.random.split(key, count))
    else:
        # Transformations do what the part does; and examples that share a key do the same with it, once.
        return _uses(part, key)
    return [("split", _data(key)), *(use for each in keys for use in _uses(part, each))]


def _uses_of_loop(kind: str, count: int, part: Program, key: Any) -> Found:
    found: Found = []
    if kind == "while":
        count, found = _throw(key, 4)
        key, own = _fold(key, 1)
        found += own
    for turn in range(count):
        if kind == "fori":
            sub, own = _fold(key, turn)
            found += own
        else:
            found.append(("split", _data(key)))
            key, sub = jax.random.split(key)
        found += _uses(part, sub)
    return found


def _fold(key: Any, data: int) -> tuple[Any, Found]:
    return jax.random.fold_in(key, data), [("fold_in", _data(key))]


def _throw(key: Any, sides: int) -> tuple[int, Found]:
    """Return the output of `_dice`, and its uses."""
    folded, found = _fold(key, 99)
    return int(jax.random.bits(folded) % sides), [*found, ("draw", _data(folded))]
