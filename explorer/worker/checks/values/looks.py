"""Looks into a jaxpr whether its indices and whole numbers fit: evaluated under tracing, with a record for each place.

What is asked is a program of its own, of which only the records are computed: the person's program runs as it is.
The same evaluation tells whether a place matters: with what came of it replaced, is the result another?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Jaxpr, JaxprEqn, jaxprs_in_params
from jax.extend.core import Literal as JaxprLiteral
from jax.sharding import PartitionSpec

from explorer.worker.checks.values import records, rules, sites
from explorer.worker.internals import jaxprs, value_checks
from explorer.worker.recording.events import CallStack
from explorer.worker.recording.rewritten_jit import has_while

MOST_ROUNDS = 10_000
"""Rounds of a loop on replaced values: they may never let it end."""


class Look:
    """Evaluates a jaxpr, a method for each kind of operation, and keeps the records of its places.

    A `brief` look records only whether anything is wrong. `replaced`, if given, is a number for each place: 1 and -1
    replace what went wrong there by something else.
    """

    def __init__(self, wanted: sites.Wanted, *, brief: bool = False, replaced: Any = None, first: int = 0) -> None:
        self._wanted = wanted
        self._brief = brief
        self._replaced = replaced
        self._first = first
        self.sites: list[sites.Site] = []
        self._rows: list[Any] = []

    def table(self) -> Any:
        """Return the records as one array: a row for each place."""
        empty = jnp.zeros((0, 1), jnp.bool_) if self._brief else jnp.zeros((0, records.FIELDS), records.whole())
        return jnp.stack(self._rows) if self._rows else empty

    def run(self, jaxpr: Any, arguments: Sequence[Any], outer: CallStack, *, to_the_end: bool = True) -> list[Any]:
        """Return the outputs of `jaxpr`, which may carry its constants or have none.

        If it need not run `to_the_end` there are none, and only what the records need is evaluated.
        """
        inner = getattr(jaxpr, "jaxpr", jaxpr)
        values: dict[Any, Any] = dict(zip(inner.constvars, getattr(jaxpr, "consts", ()), strict=True))
        values.update(zip(inner.invars, arguments, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, JaxprLiteral) else values.get(atom)

        needed: set[Any] = set() if to_the_end else self._needed(inner, outer)
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
            read: Sequence[Any] = equation.invars
            if needed.isdisjoint(equation.outvars):
                if not self._is_of_use(equation, outer):
                    continue
                if sites.is_site(equation):
                    read = rules.read_by_rules(equation.primitive.name, read)
            needed.update(each for each in read if not isinstance(each, JaxprLiteral))
        return needed

    def _is_of_use(self, equation: JaxprEqn, outer: CallStack) -> bool:
        return sites.is_of_use(equation, self._wanted, sites.source_of(equation, outer))

    def _equation(self, equation: JaxprEqn, arguments: list[Any], outer: CallStack, is_asked: bool) -> list[Any]:
        name, parameters = equation.primitive.name, equation.params
        here = sites.source_of(equation, outer)
        # On replaced values a loop may never end by itself.
        is_loop = self._replaced is not None and (name == "while" or any(map(has_while, jaxprs_in_params(parameters))))
        if not (is_loop or sites.is_of_use(equation, self._wanted, here)):
            return jaxprs.bind(equation, arguments)
        if sites.is_site(equation):
            return self._site(equation, arguments, here, is_asked)
        if name in sites.CALLS:
            return self.run(parameters[sites.CALLS[name]], arguments, here)
        rules_of = {"scan": self._scan, "while": self._while, "cond": self._cond, "shard_map": self._shard_map}
        rule = rules_of.get(name)
        if rule is None or parameters.get("length") == 0 or parameters.get("branches_platforms"):
            return jaxprs.bind(equation, arguments)
        return rule(parameters, arguments, here)

    # -- places -------------------------------------------------------------------------------

    def _site(self, equation: JaxprEqn, arguments: list[Any], here: CallStack, is_asked: bool) -> list[Any]:
        name, parameters = equation.primitive.name, equation.params
        site = sites.site(equation, here)
        output: Any = jaxprs.bind(equation, arguments)[0] if is_asked or site.bounds is None else None
        rows = None
        if site.bounds is None:
            wrong = rules.overflowed(name, arguments, parameters, output, jnp)
        else:
            rows = rules.indices(name, arguments, jnp)
            wrong = rules.outside(rows, site.bounds)
        how = 0 if self._replaced is None else self._replaced[self._first + len(self.sites)]
        self.sites.append(site)
        if self._brief:
            self._rows.append(wrong.any().reshape(1))
        elif rows is None:
            self._rows.append(records.of_numbers(arguments, output, wrong, jnp))
        else:
            self._rows.append(records.of_indices(rows, wrong, jnp))
        if self._replaced is None:
            return [] if output is None else [output]
        other = records.changed(output, how)
        if rows is not None:
            other, wrong = records.otherwise(equation, arguments, other, wrong)
        return [jnp.where(wrong & (how != 0), other, output)]

    # -- control flow -------------------------------------------------------------------------

    def _after(self, *others: Look) -> Look:
        """Return a look at a jaxpr inside this one, whose places come after those of `others`."""
        first = self._first + sum(len(each.sites) for each in (self, *others))
        return Look(self._wanted, brief=self._brief, replaced=self._replaced, first=first)

    def restart(self) -> None:
        """Forget what was seen: JAX traces some functions twice."""
        self.sites, self._rows = [], []

    def _adopt(self, inner: Look, table: Any) -> None:
        self.sites += inner.sites
        self._rows += [table[place] for place in range(len(inner.sites))]

    def _scan(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        constants, carried = jaxprs.scan_counts(parameters, arguments)
        fixed, carry, slices = arguments[:constants], arguments[constants:][:carried], arguments[constants + carried :]
        inner = self._after()

        def round_(carry: list[Any], slices: list[Any]) -> tuple[list[Any], Any]:
            inner.restart()
            return inner.run(parameters["jaxpr"], [*fixed, *carry, *slices], here), inner.table()

        def body(state: Any, slices: list[Any]) -> tuple[Any, list[Any]]:
            outputs, table = round_(state[0], slices)
            return (outputs[:carried], records.together(state[1], table)), outputs[carried:]

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
            running = [records.of_running(predicate, each) for each in carry] if predicate.ndim else carry
            following = mover.run(parameters["body_jaxpr"], [*of_body, *running], here)
            if predicate.ndim:
                # Under vmap, examples that are done keep their values while others go on.
                following = [records.where(predicate, new, old) for new, old in zip(following, carry, strict=True)]
            return following, mover.table()

        def step(state: Any) -> Any:
            carry, predicate, asked, moved, rounds = state
            carry, of_move = move(carry, predicate)
            predicate, of_question = ask(carry)
            return carry, predicate, records.together(asked, of_question), records.together(moved, of_move), rounds + 1

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
            table = records.together(table, tables[device])
        self._adopt(inner, table)
        return list(outputs)
