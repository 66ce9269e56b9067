"""Functions that are checkpointed with a policy of names, and the names that there are in them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import Any

from jax._src import ad_checkpoint, source_info_util, traceback_util

from explorer.worker.internals import jaxprs
from explorer.worker.internals.guard import Guard

_MODULE: Any = ad_checkpoint

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


@dataclass(frozen=True)
class Checkpointed:
    """One time that a checkpointed function is put to use."""

    asked: frozenset[str]
    """The names that its policy saves."""
    excluded: frozenset[str]
    """The names that its policy does not save."""
    given: frozenset[str]
    """The names in the function."""
    is_all: bool
    """Whether these are all: a derivative that the program gives itself may name more."""


@contextmanager
def watching(tell: Callable[[FrameType, Checkpointed], None], named: Callable[[str], None]) -> Iterator[Guard]:
    """Call `tell` for each use in the block of a function whose policy has names, and `named` with each name given.

    What that raises does not reach the program: the guard that is yielded has it. Where this version of JAX does it
    elsewhere nothing is reported.
    """
    guard = Guard()

    def use(frame: FrameType, jaxpr: Any, policy: Any) -> None:
        asked, excluded = _names(policy)
        if asked or excluded:
            equations = list(jaxprs.every_equation(getattr(jaxpr, "jaxpr", jaxpr)))
            given = frozenset(each.params["name"] for each in equations if each.primitive is ad_checkpoint.name_p)
            is_all = not any(each.primitive.name.startswith("custom_vjp") for each in equations)
            tell(frame, Checkpointed(asked, excluded, given, is_all))

    def watched(genuine: Callable[..., Any], look: Callable[..., None]) -> Callable[..., Any]:
        def bind(*arguments: Any, **parameters: Any) -> Any:
            guard(look, sys._getframe(1), parameters)
            return genuine(*arguments, **parameters)

        return bind

    with ExitStack() as stack:
        for name, look in (
            ("remat_p", lambda frame, given: use(frame, given["jaxpr"], given["policy"])),
            ("name_p", lambda _, given: named(given["name"])),
        ):
            primitive = getattr(_MODULE, name, None)
            if primitive is not None:
                own = vars(primitive).get("bind")
                primitive.bind = watched(primitive.bind, look)
                stack.callback(setattr, primitive, "bind", own) if own else stack.callback(delattr, primitive, "bind")
        yield guard


def _names(policy: Any) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that a policy of JAX's own saves, and those that it does not; none of anything else."""
    kind = policy if type(policy) is FunctionType else type(policy)
    if getattr(kind, "__module__", "") != _MODULE.__name__:
        return frozenset(), frozenset()
    # Older versions of JAX keep them in a closure, newer ones in a dataclass.
    kept = [each.cell_contents for each in policy.__closure__ or ()] if kind is policy else [*vars(policy).values()]
    asked, excluded = frozenset[str](), frozenset[str]()
    for each in kept:
        if isinstance(each, set | frozenset):
            asked |= {name for name in each if isinstance(name, str)}
        elif callable(each):
            inner = _names(each)
            asked, excluded = asked | inner[0], excluded | inner[1]
    name = f"{kind.__qualname__}".lower().replace("_", "")
    return (frozenset(), asked | excluded) if name.startswith("saveanynamesbutthese") else (asked, excluded)
