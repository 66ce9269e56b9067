"""Which values of what one example computes differ from example to example: by what they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jax.extend.core import JaxprEqn, Literal, Var, jaxprs_in_params

from explorer.worker.internals.batching.steps import Map
from explorer.worker.internals.jaxprs import scan_parts, while_parts

Varies = frozenset[Map]
"""The vmaps along which a value differs."""
SAME: Varies = frozenset()


class Varying:
    """Along which vmaps each variable of the jaxprs of one example differs.

    JAX gives an array the axis of a vmap in places where all examples have the same: it copies it. So its batching
    does not tell what differs.
    """

    def __init__(self) -> None:
        self._known: dict[Var, Varies] = {}

    def of(self, variable: Any) -> Varies:
        """Return along which vmaps `variable` differs, as far as it is known."""
        return SAME if variable is None or isinstance(variable, Literal) else self._known.get(variable, SAME)

    def knows(self, variable: Any) -> bool:
        """Return whether `variable` is one of a jaxpr that was followed."""
        return isinstance(variable, Literal) or variable in self._known

    def carry_in(self, primitive: str, parameters: Mapping[str, Any], operands: Sequence[Varies]) -> list[Varies]:
        """Follow the `operands` of an operation into the jaxprs inside it, and return what is known of its outputs."""
        rule = _RULES.get(primitive)
        if rule is not None:
            return rule(self, parameters, list(operands))
        inner = list(jaxprs_in_params(dict(parameters)))
        if len(inner) == 1 and len(inner[0].invars) == len(operands):
            return self._through(inner[0], operands)
        for each in inner:
            # Nothing is known of how it is called.
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
        """Return along which vmaps the outputs of a scan differ; what it carries differs if it does in any round."""
        fixed, carry, _ = scan_parts(dict(parameters), operands)
        return self._iterations(parameters["jaxpr"].jaxpr, operands, slice(len(fixed), len(fixed) + len(carry)))

    def loop(self, parameters: Mapping[str, Any], operands: list[Varies]) -> list[Varies]:
        """Return along which vmaps the outputs of a while differ: also by how many rounds there are.

        In a round all examples that still take part in it have what a carried value was computed from.
        """
        of_test, fixed, carry = while_parts(dict(parameters), operands)
        of_body, carried = [*fixed, *carry], slice(len(fixed), None)
        outputs = self._iterations(parameters["body_jaxpr"].jaxpr, of_body, carried)
        goes_on = self._through(parameters["cond_jaxpr"].jaxpr, [*of_test, *of_body[carried]])
        return [each | goes_on[0] for each in outputs]

    def branches(self, parameters: Mapping[str, Any], operands: list[Varies]) -> list[Varies]:
        """Return along which vmaps the outputs of a cond differ: also by which branch is taken."""
        outputs = [self._through(each.jaxpr, operands[1:]) for each in parameters["branches"]]
        return [_any([operands[0], *each]) for each in zip(*outputs, strict=True)]

    def _iterations(self, body: Any, operands: list[Varies], carried: slice) -> list[Varies]:
        """Return the outputs of `body` after all rounds, and put what it carries then into `operands`."""
        while True:
            outputs = self._through(body, operands)
            before = operands[carried]
            after = [one | other for one, other in zip(before, outputs, strict=False)]
            if after == before:
                return outputs
            operands[carried] = after


def _any(each: Sequence[Varies]) -> Varies:
    return SAME.union(*each)


_RULES: dict[str, Callable[[Varying, Mapping[str, Any], list[Varies]], list[Varies]]] = {
    "scan": Varying.scan,
    "while": Varying.loop,
    "cond": Varying.branches,
}
