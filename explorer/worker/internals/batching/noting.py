"""A jaxpr wrapper that reports the equation under evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jax.extend.core import JaxprEqn


class Noting:
    """Jaxpr whose equations come from the iterator `each`."""

    def __init__(self, jaxpr: Any, each: Callable[[], Iterator[JaxprEqn]]) -> None:
        self._jaxpr = jaxpr
        self.eqns = _Equations(jaxpr.eqns)
        self.eqns.each = each

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jaxpr, name)


class _Equations(list[JaxprEqn]):
    each: Callable[[], Iterator[JaxprEqn]]

    def __iter__(self) -> Iterator[JaxprEqn]:
        return self.each()
