"""Check of a jaxpr's indices, integers and probabilities: evaluated under tracing, with a record for each place.

The check is a separate program that computes only the records; the user's program stays unchanged. The same evaluation
tests whether a place matters: it replaces the value there and compares the outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import JaxprEqn, jaxprs_in_params

from explorer.worker.checks.values import records, rules, sites
from explorer.worker.internals import jaxprs, value_checks
from explorer.worker.jaxpr import traced
from explorer.worker.jaxpr.interpreter import CALLS, evaluate, live
from explorer.worker.recording.events import CallStack

MOST_ITERATIONS = 10_000
"""Largest number of loop iterations on replaced values, which may never end the loop."""


class JaxprCheck:
    """Evaluator of a jaxpr, with a method per kind of operation and a record per place.

    A `brief` check records only whether anything is wrong. `replaced`, int32[places], selects replacements: 1 and -1
    replace the wrong values of a place by two different others.
    """

    def __init__(self, wanted: sites.Wanted, *, brief: bool = False, replaced: Any = None, first: int = 0) -> None:
        self._wanted = wanted
        self._brief = brief
        self._replaced = replaced
        self._first = first
        self.sites: list[sites.CheckedSite] = []
        self._rows: list[Any] = []

    def table(self) -> Any:
        """Return the records as one array, one row per place: bool[places, 1] if brief, else int[places, FIELDS]."""
        empty = jnp.zeros((0, 1), jnp.bool_) if self._brief else jnp.zeros((0, records.FIELDS), records.whole())
        return jnp.stack(self._rows) if self._rows else empty

    def run(self, jaxpr: Any, arguments: Sequence[Any], outer: CallStack, *, to_the_end: bool = True) -> list[Any]:
        """Return the outputs of `jaxpr`, open or closed.

        Unless it runs `to_the_end`, only the equations behind records are evaluated, and the result is empty.
        """
        inner = getattr(jaxpr, "jaxpr", jaxpr)
        equations, needed = (inner.eqns, None) if to_the_end else live(inner, (), partial(self._reads, outer))

        def on_equation(equation: JaxprEqn, arguments: list[Any]) -> list[Any] | None:
            if value_checks.only_prints(equation):
                return None
            is_asked = needed is None or not needed.isdisjoint(equation.outvars)
            return self._equation(equation, arguments, sites.source_of(equation, outer), is_asked)

        return evaluate(jaxpr, arguments, on_equation, equations=equations, wanted=inner.outvars if to_the_end else ())

    def body(self, jaxpr: Any, here: CallStack) -> traced.Body:
        """Return `jaxpr`, called from `here`, as a function that returns its outputs and the records of its places."""

        def run(arguments: Sequence[Any]) -> tuple[list[Any], Any]:
            self.restart()
            return self.run(jaxpr, arguments, here), self.table()

        return run

    def _reads(self, outer: CallStack, equation: JaxprEqn, needed: set[Any]) -> Sequence[Any] | None:
        """Return the operands of `equation` that records or `needed` outputs require; None to skip it."""
        if not needed.isdisjoint(equation.outvars):
            return equation.invars
        if not sites.is_of_use(equation, self._wanted, sites.source_of(equation, outer)):
            return None
        read = equation.invars
        return rules.read_by_rules(equation.primitive.name, read) if sites.is_site(equation) else read

    def _equation(self, equation: JaxprEqn, arguments: list[Any], here: CallStack, is_asked: bool) -> list[Any] | None:
        name, parameters = equation.primitive.name, equation.params
        # On replaced values, a loop may not end by itself.
        inner = jaxprs_in_params(parameters)
        is_loop = self._replaced is not None and (name == "while" or any(map(jaxprs.has_while, inner)))
        if not is_loop and not sites.is_of_use(equation, self._wanted, here):
            return jaxprs.bind(equation, arguments)
        if sites.is_site(equation):
            return self._site(equation, arguments, here, is_asked)
        if name in CALLS:
            return self.run(parameters[CALLS[name]], arguments, here)
        rules_of = {"scan": self._scan, "while": self._while, "cond": self._cond, "shard_map": self._shard_map}
        rule = rules_of.get(name)
        if rule is None or parameters.get("length") == 0 or parameters.get("branches_platforms"):
            return jaxprs.bind(equation, arguments)
        return rule(parameters, arguments, here)

    # -- places -------------------------------------------------------------------------------

    def _site(self, equation: JaxprEqn, arguments: list[Any], here: CallStack, is_asked: bool) -> list[Any] | None:
        name, parameters = equation.primitive.name, equation.params
        site = sites.site(equation, here)
        output: Any = jaxprs.bind(equation, arguments)[0] if is_asked or site.bounds is None else None
        rows, given = None, arguments
        if site.sort == "probability":
            given = [jnp.asarray(sites.probabilities(arguments))]
            wrong = rules.improbable(site.operation, given[0], jnp)
        elif site.bounds is None:
            wrong = rules.overflowed(name, arguments, parameters, output, jnp)
        else:
            rows = rules.indices(name, arguments, jnp)
            wrong = rules.outside(rows, site.bounds)
        how = 0 if self._replaced is None else self._replaced[self._first + len(self.sites)]
        self.sites.append(site)
        if self._brief:
            self._rows.append(wrong.any().reshape(1))
        elif rows is None:
            result = wrong if site.sort == "probability" else output
            self._rows.append(records.of_numbers(given, result, wrong, jnp))
        else:
            self._rows.append(records.of_indices(rows, wrong, jnp))
        if self._replaced is None:
            return None if output is None else [output]
        other = records.others_drawn(output, how) if site.operation == "choice" else records.changed(output, how)
        if site.sort == "probability":
            wrong = wrong.any() if site.operation == "choice" else records.spread(wrong, output.shape)
        if rows is not None:
            other, wrong = records.otherwise(equation, arguments, other, wrong)
        return [jnp.where(wrong & (how != 0), other, output)]

    # -- control flow -------------------------------------------------------------------------

    def _after(self, *others: JaxprCheck) -> JaxprCheck:
        """Return a check of a nested jaxpr, whose places are numbered after those of `others`."""
        first = self._first + sum(len(each.sites) for each in (self, *others))
        return JaxprCheck(self._wanted, brief=self._brief, replaced=self._replaced, first=first)

    def restart(self) -> None:
        """Clear the records: JAX traces some functions twice."""
        self.sites, self._rows = [], []

    def _adopt(self, inner: JaxprCheck, table: Any) -> None:
        self.sites += inner.sites
        self._rows += [table[place] for place in range(len(inner.sites))]

    def _scan(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        inner = self._after()
        outputs, table = traced.scan(parameters, arguments, inner.body(parameters["jaxpr"], here), records.together)
        self._adopt(inner, table)
        return outputs

    def _while(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        of_test, of_body, start = jaxprs.while_parts(parameters, arguments)
        tester = self._after()
        ask = tester.body(parameters["cond_jaxpr"], here)
        (predicate,), asked = ask([*of_test, *start])
        mover = self._after(tester)
        move = mover.body(parameters["body_jaxpr"], here)

        def one_iteration(predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], tuple[Any, Any]]:
            running = [records.of_running(predicate, each) for each in carry] if predicate.ndim else carry
            following, moved = move([*of_body, *running])
            following = traced.still_running(predicate, following, carry)
            (following_predicate,), asked = ask([*of_test, *following])
            return following_predicate, following, (asked, moved)

        def keep(collected: Any, tables: Any, _: Any) -> Any:
            return jax.tree.map(records.together, collected, tables)

        moved = traced.zeros(jax.eval_shape(one_iteration, predicate, start)[2][1])
        most = None if self._replaced is None else MOST_ITERATIONS
        outputs, (asked, moved), _ = traced.loop(predicate, start, one_iteration, (asked, moved), keep, most)
        self._adopt(tester, asked)
        self._adopt(mover, moved)
        return outputs

    def _cond(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        inners: list[JaxprCheck] = []

        def bodies() -> Iterator[traced.Body]:
            for branch in parameters["branches"]:
                inners.append(self._after(*inners))
                yield inners[-1].body(branch, here)

        outputs, tables = traced.switch(arguments, bodies())
        for inner, table in zip(inners, tables, strict=True):
            self._adopt(inner, table)
        return outputs

    def _shard_map(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> list[Any]:
        inner = self._after()
        outputs, tables = traced.shard_map(parameters, arguments, inner.body(parameters["jaxpr"], here))
        self._adopt(inner, reduce(records.together, tables))
        return outputs
