"""Looks into a jaxpr whether its indices and whole numbers fit: evaluated under tracing, with a record for each place.

What is asked is a program of its own, of which only the records are computed: the person's program runs as it is.
The same evaluation tells whether a place matters: with what came of it replaced, is the result another?
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Jaxpr, JaxprEqn, jaxprs_in_params
from jax.extend.core import Literal as JaxprLiteral
from jax.sharding import PartitionSpec

from explorer.worker.checks import rules
from explorer.worker.internals import jaxprs, sources, value_checks
from explorer.worker.recording.events import CallStack
from explorer.worker.recording.rewritten_jit import has_while

FIELDS = 5
"""Of a record: how often, of how many, and three numbers that tell the first of them."""
CALLS = {**jaxprs.CALLS, "jit": "jaxpr", "remat2": "jaxpr", "checkpoint": "jaxpr"}
"""Operations that evaluate a jaxpr as it stands, and the parameter that holds it."""
MOST_ROUNDS = 10_000
"""Rounds of a loop on replaced values: they may never let it end."""


@dataclass(frozen=True)
class Site:
    """One place in a jaxpr that is looked at."""

    operation: str
    source: CallStack
    """From the jaxpr on."""
    bounds: rules.Bounds | None
    """Of an operation that indexes."""
    dtype: np.dtype[Any]
    """Of its result."""
    given: np.dtype[Any]
    """Of its first operand."""
    exponent: int = 0
    """Of a power with a constant one."""


Wanted = Callable[[CallStack, bool], bool]
"""Tells of a place, and of whether it indexes, whether it shall be looked at."""


def has_sites(jaxpr: Jaxpr) -> bool:
    """Return whether there is anything in `jaxpr` to look at, however deep."""
    known = _known.get(jaxpr)
    if known is None:
        known = _known[jaxpr] = any(
            _is_site(equation) or any(map(has_sites, jaxprs_in_params(equation.params))) for equation in jaxpr.eqns
        )
    return known


_known: weakref.WeakKeyDictionary[Jaxpr, bool] = weakref.WeakKeyDictionary()


def _is_site(equation: JaxprEqn) -> bool:
    name = equation.primitive.name
    if rules.is_indexing(name):
        return True
    if not equation.invars or not equation.outvars:
        return False
    given, result = (getattr(each[0].aval, "dtype", None) for each in (equation.invars, equation.outvars))
    if not rules.may_overflow(name, given, result):
        return False
    # Counting is everywhere, and takes long to get too far.
    is_counting = name in ("add", "sub") and any(isinstance(each, JaxprLiteral) for each in equation.invars)
    return not is_counting


def _here(equation: JaxprEqn, outer: CallStack) -> CallStack:
    traceback, stack = sources.equation_source(equation)
    return CallStack((traceback,) if traceback is not None else (), stack).inside(outer)


def holds_wanted(jaxpr: Jaxpr, wanted: Wanted, outer: CallStack) -> bool:
    """Return whether there is a place in `jaxpr`, called from `outer`, that is `wanted`."""
    return has_sites(jaxpr) and any(_is_of_use(each, wanted, _here(each, outer)) for each in jaxpr.eqns)


def _is_of_use(equation: JaxprEqn, wanted: Wanted, here: CallStack) -> bool:
    if _is_site(equation):
        return wanted(here, rules.is_indexing(equation.primitive.name))
    return any(holds_wanted(each, wanted, here) for each in jaxprs_in_params(equation.params))


class Look:
    """Evaluates a jaxpr, a method for each kind of operation, and keeps the records of its places.

    A `brief` look records only whether anything is wrong. `replaced`, if given, is a number for each place: 1 and -1
    replace what went wrong there by something else.
    """

    def __init__(self, wanted: Wanted, *, brief: bool = False, replaced: Any = None, first: int = 0) -> None:
        self._wanted = wanted
        self._brief = brief
        self._replaced = replaced
        self._first = first
        self.sites: list[Site] = []
        self.records: list[Any] = []

    def table(self) -> Any:
        """Return the records as one array: a row for each place."""
        empty = jnp.zeros((0, 1), jnp.bool_) if self._brief else jnp.zeros((0, FIELDS), _whole())
        return jnp.stack(self.records) if self.records else empty

    def run(self, jaxpr: Any, arguments: Sequence[Any], outer: CallStack, *, to_the_end: bool = True) -> list[Any]:
        """Return the outputs of `jaxpr`, which may carry its constants or have none.

        If it need not run `to_the_end` there are none, and only what the records need is evaluated.
        """
        inner = getattr(jaxpr, "jaxpr", jaxpr)
        values: dict[Any, Any] = dict(zip(inner.constvars, getattr(jaxpr, "consts", ()), strict=True))
        values.update(zip(inner.invars, arguments, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, JaxprLiteral) else values.get(atom)

        needed = set() if to_the_end else self._needed(inner, outer)
        for equation in inner.eqns:
            is_asked = to_the_end or not needed.isdisjoint(equation.outvars)
            if value_checks.only_prints(equation) or not (is_asked or self._is_of_use(equation, outer)):
                continue
            with equation.ctx.manager:
                outputs = self._equation(equation, [read(atom) for atom in equation.invars], outer, is_asked)
            values.update(zip(equation.outvars, outputs, strict=False))
        return [read(atom) for atom in inner.outvars] if to_the_end else []

    def _needed(self, jaxpr: Jaxpr, outer: CallStack) -> set[Any]:
        """Return the variables that the records need."""
        needed: set[Any] = set()
        for equation in reversed(jaxpr.eqns):
            read = equation.invars
            if needed.isdisjoint(equation.outvars):
                if not self._is_of_use(equation, outer):
                    continue
                if _is_site(equation):
                    read = rules.read_by_rules(equation.primitive.name, read)
            needed.update(each for each in read if not isinstance(each, JaxprLiteral))
        return needed

    def _is_of_use(self, equation: JaxprEqn, outer: CallStack) -> bool:
        return _is_of_use(equation, self._wanted, _here(equation, outer))

    def _equation(self, equation: JaxprEqn, arguments: list[Any], outer: CallStack, is_asked: bool) -> list[Any]:
        name, parameters = equation.primitive.name, equation.params
        here = _here(equation, outer)
        # On replaced values a loop may never end by itself.
        is_loop = self._replaced is not None and (name == "while" or any(map(has_while, jaxprs_in_params(parameters))))
        if not (is_loop or _is_of_use(equation, self._wanted, here)):
            return jaxprs.bind(equation, arguments)
        if _is_site(equation):
            return self._site(equation, arguments, here, is_asked)
        if name in CALLS:
            return self.run(parameters[CALLS[name]], arguments, here)
        rules_of = {"scan": self._scan, "while": self._while, "cond": self._cond, "shard_map": self._shard_map}
        rule = rules_of.get(name)
        if rule is None or parameters.get("length") == 0 or parameters.get("branches_platforms"):
            return jaxprs.bind(equation, arguments)
        return rule(parameters, arguments, here)

    # -- places -------------------------------------------------------------------------------

    def _site(self, equation: JaxprEqn, arguments: list[Any], here: CallStack, is_asked: bool) -> list[Any]:
        name, parameters = equation.primitive.name, equation.params
        given, result = equation.invars[0].aval.dtype, equation.outvars[0].aval.dtype
        limits = None
        output = jaxprs.bind(equation, arguments)[0] if is_asked or not rules.is_indexing(name) else None
        if rules.is_indexing(name):
            limits = rules.bounds(name, parameters, [each.aval.shape for each in equation.invars])
            rows = rules.indices(name, arguments, jnp)
            wrong = beyond = rules.outside(rows, limits)
        else:
            wrong = rules.overflowed(name, arguments, parameters, output, jnp)
        how = None if self._replaced is None else self._replaced[self._first + len(self.sites)]
        self.sites.append(Site(name, here, limits, result, given, parameters.get("y", 0)))
        if self._brief:
            self.records.append(wrong.any().reshape(1))
        else:
            self.records.append(
                of_numbers(arguments, output, wrong, jnp) if limits is None else of_indices(rows, beyond, jnp)
            )
        if how is None:
            return [] if output is None else [output]
        if limits is None:
            other = _changed(output, how)
        else:
            other, wrong = _otherwise(equation, arguments, output, beyond, how)
        return [jnp.where(wrong & (how != 0), other, output)]

    # -- control flow -------------------------------------------------------------------------

    def _after(self, *others: Look) -> Look:
        """Return a look at a jaxpr inside this one, whose places come after those of `others`."""
        first = self._first + sum(len(each.sites) for each in (self, *others))
        return Look(self._wanted, brief=self._brief, replaced=self._replaced, first=first)

    def restart(self) -> None:
        """Forget what was seen: JAX traces some functions twice."""
        self.sites, self.records = [], []

    def _adopt(self, inner: Look, table: Any) -> None:
        self.sites += inner.sites
        self.records += [table[place] for place in range(len(inner.sites))]

    def _scan(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        constants, carried = jaxprs.scan_counts(parameters, arguments)
        fixed, carry, slices = arguments[:constants], arguments[constants:][:carried], arguments[constants + carried :]
        inner = self._after()

        def round_(carry: list[Any], slices: list[Any]) -> tuple[list[Any], Any]:
            inner.restart()
            return inner.run(parameters["jaxpr"], [*fixed, *carry, *slices], here), inner.table()

        def body(state: Any, slices: list[Any]) -> tuple[Any, list[Any]]:
            outputs, table = round_(state[0], slices)
            return (outputs[:carried], _together(state[1], table)), outputs[carried:]

        first = jax.eval_shape(lambda: round_(carry, [each[0] for each in slices])[1])
        (carry, table), stacked = lax.scan(
            body,
            (carry, jnp.zeros(first.shape, first.dtype)),
            slices,
            parameters["length"],
            reverse=parameters["reverse"],
            unroll=parameters["unroll"],
        )
        self._adopt(inner, table)
        return [*carry, *stacked]

    def _while(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        test, body = parameters["cond_nconsts"], parameters["body_nconsts"]
        of_test, of_body, start = arguments[:test], arguments[test:][:body], arguments[test + body :]
        tester = self._after()

        def ask(carry: list[Any]) -> tuple[Any, Any]:
            tester.restart()
            return tester.run(parameters["cond_jaxpr"], [*of_test, *carry], here)[0], tester.table()

        def move(carry: list[Any], predicate: Any) -> tuple[list[Any], Any]:
            mover.restart()
            running = [_of_running(predicate, each) for each in carry] if predicate.ndim else carry
            following = mover.run(parameters["body_jaxpr"], [*of_body, *running], here)
            if predicate.ndim:
                # Under vmap, examples that are done keep their values while others go on.
                following = [_where(predicate, new, old) for new, old in zip(following, carry, strict=True)]
            return following, mover.table()

        def step(state: Any) -> Any:
            carry, predicate, asked, moved, rounds = state
            carry, of_move = move(carry, predicate)
            predicate, of_question = ask(carry)
            return carry, predicate, _together(asked, of_question), _together(moved, of_move), rounds + 1

        predicate, asked = ask(start)
        mover = self._after(tester)
        moved = jax.eval_shape(lambda: move(start, predicate)[1])
        state = start, predicate, asked, jnp.zeros(moved.shape, moved.dtype), jnp.int32(0)
        carry, _, asked, moved, _ = lax.while_loop(self._goes_on, step, state)
        self._adopt(tester, asked)
        self._adopt(mover, moved)
        return list(carry)

    def _goes_on(self, state: Any) -> Any:
        goes_on = jnp.any(state[1])
        return goes_on if self._replaced is None else goes_on & (state[4] < MOST_ROUNDS)

    def _cond(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        index, *operands = arguments
        branches, inners = parameters["branches"], list[Look]()
        for branch in branches:
            inners.append(self._after(*inners))
            jax.eval_shape(lambda *each, branch=branch: inners[-1].run(branch, each, here), *operands)
        ends = np.cumsum([0, *(len(inner.sites) for inner in inners)])

        def taking(number: int) -> Callable[..., Any]:
            def take(*operands: Any) -> tuple[list[Any], Any]:
                inners[number].restart()
                outputs = inners[number].run(branches[number], operands, here)
                around = int(ends[number]), int(ends[-1] - ends[number + 1])
                return outputs, jnp.pad(inners[number].table(), (around, (0, 0)))

            return take

        outputs, table = lax.switch(index, [taking(number) for number in range(len(branches))], *operands)
        for inner, start in zip(inners, ends, strict=False):
            self._adopt(inner, table[int(start) :])
        return list(outputs)

    def _shard_map(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        axes = jaxprs.shard_map_axes(parameters)
        inner = self._after()

        def body(*arguments: Any) -> tuple[tuple[Any, ...], Any]:
            inner.restart()
            outputs = inner.run(parameters["jaxpr"], arguments, here)
            return tuple(outputs), inner.table()[None]

        outputs, tables = jax.shard_map(
            body,
            mesh=parameters["mesh"],
            in_specs=tuple(parameters["in_specs"]),
            out_specs=(tuple(parameters["out_specs"]), PartitionSpec(axes)),
            axis_names=set(axes),
            # What the records vary over is not JAX's business.
            check_vma=False,
        )(*arguments)
        table = tables[0]
        for device in range(1, tables.shape[0]):
            table = _together(table, tables[device])
        self._adopt(inner, table)
        return list(outputs)


# -- records ----------------------------------------------------------------------------------


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the dtype of an array, or of a number in a jaxpr."""
    # Keys have one that is none of NumPy's.
    known: Any = getattr(value, "dtype", None)
    return jax.dtypes.canonicalize_dtype(jnp.result_type(value)) if known is None else known


def of_indices(rows: Any, beyond: Any, xp: Any) -> Any:
    """Return how many of `rows` are beyond the end, of how many; the first index that is, and its column."""
    if not beyond.size:
        return xp.zeros(FIELDS, _whole())
    place = xp.argmax(beyond.reshape(-1))
    per_row = beyond.any(-1)
    return _record(xp, per_row.sum(), per_row.size, rows.reshape(-1)[place], place % rows.shape[-1], 0)


def of_numbers(operands: Sequence[Any], result: Any, wrong: Any, xp: Any) -> Any:
    """Return how many results are wrong, of how many; the operands and the result of the first, where they match."""
    if not wrong.size:
        return xp.zeros(FIELDS, _whole())
    place = xp.argmax(wrong.reshape(-1))
    flat = [xp.asarray(each).reshape(-1) for each in operands]
    first, *second = (_bits(each[place % each.size]) for each in flat)
    return _record(xp, wrong.sum(), wrong.size, first, *(second or [0]), result.reshape(-1)[place])


def _whole() -> Any:
    return jax.dtypes.canonicalize_dtype(np.int64)


def _record(xp: Any, count: Any, total: int, *numbers: Any) -> Any:
    record = xp.stack([xp.asarray(each).astype(_whole()) for each in (count, total, *numbers)])
    return xp.where(record[0] > 0, record, 0)


def _bits(value: Any) -> Any:
    """Return a whole number as it is, and a float as the whole number that has the bits of its 32."""
    if not jnp.issubdtype(value.dtype, jnp.floating):
        return value
    narrow = value.astype(np.float32)
    return narrow.view(np.int32) if isinstance(value, np.generic) else lax.bitcast_convert_type(narrow, jnp.int32)


def _together(earlier: Any, later: Any) -> Any:
    """Return the records of two stretches of a run as those of both: the counts added, the numbers of the first."""
    if earlier.dtype == jnp.bool_:
        return earlier | later
    kept = jnp.where(earlier[:, :1] > 0, earlier, later)
    return jnp.concatenate([earlier[:, :2] + later[:, :2], kept[:, 2:]], axis=1)


# -- replacing --------------------------------------------------------------------------------


def _otherwise(equation: JaxprEqn, arguments: list[Any], output: Any, beyond: Any, how: Any) -> tuple[Any, Any]:
    """Return what an operation that indexes might have given instead of `output`, and where."""
    name, parameters = equation.primitive.name, equation.params
    if name == "dynamic_slice":
        return _changed(output, how), beyond.any()
    if name == "gather":
        wrong = jnp.expand_dims(beyond.any(-1), parameters["dimension_numbers"].offset_dims)
        return _changed(output, how), wrong
    if name == "dynamic_update_slice":
        return arguments[0], beyond.any()
    modes = lax.GatherScatterMode
    mode = modes.CLIP if parameters["mode"] == modes.FILL_OR_DROP else modes.FILL_OR_DROP
    changed = equation.replace(params={**parameters, "mode": mode})
    return jaxprs.bind(changed, arguments)[0], beyond.any()


def _changed(values: Any, how: Any) -> Any:
    """Return other `values`: larger ones, or of the other sign."""
    if values.dtype == jnp.bool_:
        return ~values
    if not jnp.issubdtype(values.dtype, jnp.number):
        return values
    if jnp.issubdtype(values.dtype, jnp.inexact):
        values = jnp.where(jnp.isfinite(values), values, 1)
    one = jnp.ones((), values.dtype)
    return jnp.where(how > 0, values + values + one, -values - values - one)


def _where(predicate: Any, new: Any, old: Any) -> Any:
    return lax.select(lax.broadcast_in_dim(predicate, new.shape, tuple(range(predicate.ndim))), new, old)


def _of_running(predicate: Any, carried: Any) -> Any:
    """Return `carried` with the values of an example that goes on in place of those that are done.

    What a body does with those, beyond the end of everything, is nothing that the program asks for.
    """
    examples = carried.reshape(predicate.size, *carried.shape[predicate.ndim :])
    one = examples[jnp.argmax(predicate.reshape(-1))]
    return _where(predicate, carried, jnp.broadcast_to(one, carried.shape))
