"""Values that differ from example to example (`VaryingAxes`), determined from their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jax.extend.core import JaxprEqn, Literal, Var, jaxprs_in_params

from explorer.worker.internals.jaxprs import scan_parts, while_parts

Varies = frozenset[Any]
"""The vmaps along which a value differs."""
SAME: Varies = frozenset()


class VaryingAxes:
    """The vmaps along which each variable of the per-example jaxprs differs.

    JAX's batching does not tell: it also gives an axis to arrays whose examples are copies of one value.
    """

    def __init__(self) -> None:
        self._known: dict[Var, Varies] = {}

    def of(self, variable: Any) -> Varies:
        """Return the vmaps along which `variable` differs, as far as known."""
        return SAME if variable is None or isinstance(variable, Literal) else self._known.get(variable, SAME)

    def knows(self, variable: Any) -> bool:
        """Return whether `variable` belongs to a visited jaxpr."""
        return isinstance(variable, Literal) or variable in self._known

    @property
    def known(self) -> Mapping[Var, Varies]:
        """The vmaps of every variable in the visited jaxprs."""
        return self._known

    def carry_in(self, primitive: str, parameters: Mapping[str, Any], operands: Sequence[Varies]) -> list[Varies]:
        """Propagate `operands` into the jaxprs of an operation, and return the known facts about its outputs."""
        rule = _RULES.get(primitive)
        if rule is not None:
            return rule(self, parameters, list(operands))
        inner = list(jaxprs_in_params(dict(parameters)))
        if len(inner) == 1 and len(inner[0].invars) == len(operands):
            return self._through(inner[0], operands)
        for each in inner:
            # Its call is unknown.
            self._through(each, [_any(operands)] * len(each.invars))
        return []

    def _through(self, jaxpr: Any, arguments: Sequence[Varies]) -> list[Varies]:
        self._known.update(zip(jaxpr.invars, arguments, strict=True))
        self._known.update(dict.fromkeys(jaxpr.constvars, SAME))
        for equation in jaxpr.eqns:
            self._equation(equation)
        return [self.of(each) for each in jaxpr.outvars]

    def _equation(self, equation: JaxprEqn) -> None:
        operands = [self.of(each) for each in equation.invars]
        inner = any(True for _ in jaxprs_in_params(equation.params))
        outputs = self.carry_in(equation.primitive.name, equation.params, operands) if inner else []
        if len(outputs) != len(equation.outvars):
            outputs = [_any(operands)] * len(equation.outvars)
        self._known.update(zip(equation.outvars, outputs, strict=True))

    def scan(self, parameters: Mapping[str, Any], operands: list[Varies]) -> list[Varies]:
        """Return the vmaps along which the outputs of a scan differ; a carry differs if it does in any iteration."""
        fixed, carry, _ = scan_parts(dict(parameters), operands)
        return self._iterations(parameters["jaxpr"].jaxpr, operands, slice(len(fixed), len(fixed) + len(carry)))

    def loop(self, parameters: Mapping[str, Any], operands: list[Varies]) -> list[Varies]:
        """Return the vmaps along which the outputs of a while differ, also because of the number of iterations.

        Inside an iteration, all examples still taking part have equal values wherever their operands are equal.
        """
        of_test, fixed, carry = while_parts(dict(parameters), operands)
        of_body, carried = [*fixed, *carry], slice(len(fixed), None)
        outputs = self._iterations(parameters["body_jaxpr"].jaxpr, of_body, carried)
        goes_on = self._through(parameters["cond_jaxpr"].jaxpr, [*of_test, *of_body[carried]])
        return [each | goes_on[0] for each in outputs]

    def branches(self, parameters: Mapping[str, Any], operands: list[Varies]) -> list[Varies]:
        """Return the vmaps along which the outputs of a cond differ, also because of the selected branch."""
        outputs = [self._through(each.jaxpr, operands[1:]) for each in parameters["branches"]]
        return [_any([operands[0], *each]) for each in zip(*outputs, strict=True)]

    def _iterations(self, body: Any, operands: list[Varies], carried: slice) -> list[Varies]:
        """Return the outputs of `body` after all iterations, and update the carry in `operands`."""
        while True:
            outputs = self._through(body, operands)
            before = operands[carried]
            after = [one | other for one, other in zip(before, outputs, strict=False)]
            if after == before:
                return outputs
            operands[carried] = after


def _any(each: Sequence[Varies]) -> Varies:
    return SAME.union(*each)


_RULES: dict[str, Callable[[VaryingAxes, Mapping[str, Any], list[Varies]], list[Varies]]] = {
    "scan": VaryingAxes.scan,
    "while": VaryingAxes.loop,
    "cond": VaryingAxes.branches,
}
