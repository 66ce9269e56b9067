"""Patches of JAX 0.10 to 0.12 that keep the information for an exact lineage."""

from __future__ import annotations

import functools
import itertools
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from types import FrameType
from typing import Any

import jax
import msgspec
import numpy as np
from jax._src import callback, debugging, source_info_util
from jax._src.interpreters import batching
from jax._src.lax.control_flow import conditionals, loops
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun

from explorer.text.text import say
from explorer.worker.internals import ahead_of_time
from explorer.worker.internals.dispatch import dispatched_again, is_dispatched, is_recording, note
from explorer.worker.internals.jaxprs import KEY_OPERATIONS, has_random
from explorer.worker.internals.sources import LEVEL, UNMAPPED, remember_own_files

_WITHOUT_LEVELS = say("Sharing may be missed: it is not known which vmap does not map a key.")
_WITHOUT_MASKS = say("Under vmap, keys seem to be used in all branches of a cond.")
_FLAX = "flax"
VMAP = "vmap.<locals>.vmap_f"
"""The qualified name of the function that ``jax.vmap`` returns."""
_BRANCH = "__jax_explorer_branch_"
_CALLBACKS = ((callback, "pure_callback_impl"), (callback, "io_callback_impl"), (debugging.debug_callback_p, "impl"))
"""The functions by which compiled programs call Python."""


def install_patches() -> None:
    """Install all patches, once. They act only during a recording.

    JAX caches traces under the recording's flag separately, so nothing changes outside a recording.
    """
    if _installed:
        return
    _installed.append(True)
    remember_own_files()
    batching.BatchTrace.process_primitive = _with_level_marks(  # type: ignore[method-assign]
        batching.BatchTrace.process_primitive
    )
    rule = batching.fancy_primitive_batchers[conditionals.cond_p]
    batching.fancy_primitive_batchers[conditionals.cond_p] = _with_branch_masks(rule)
    loops._scan_known_hoisting = _without_hoisting(loops._scan_known_hoisting)
    ahead_of_time.install()
    for place, name in _CALLBACKS:
        setattr(place, name, _dispatched(getattr(place, name)))


_installed: list[bool] = []


def _with_level_marks(process: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap BatchTrace's method so that each key operation carries a mark of its vmap.

    The batching rules do not keep which axis belongs to which vmap, and leave no trace of a vmap that does not map a
    key.
    """

    @functools.wraps(process)
    def process_primitive(self: Any, primitive: Any, tracers: Any, parameters: Any, /) -> Any:
        is_marked = primitive.name in KEY_OPERATIONS or (primitive.name == "jit" and _FLAX in sys.modules)
        if not is_marked or not is_dispatched():
            return process(self, primitive, tracers, parameters)
        try:
            marks = list(_level_marks(self, primitive.name, tracers))
        except Exception:
            # A failure of ours must not reach the program.
            note(_WITHOUT_LEVELS)
            marks = []
        with ExitStack() as stack:
            for each in marks:
                stack.enter_context(source_info_util.extend_name_stack(each))
            return process(self, primitive, tracers, parameters)

    return process_primitive


def _level_marks(trace: Any, name: str, tracers: Any) -> Iterator[str]:
    """Yield the scope names that mark the vmap of a key operation, and the axis that it maps.

    A vmap with unmapped outputs has a mark, too, for parameters that Flax makes under it.
    """
    size = trace.axis_data.size
    if _FLAX in sys.modules and _returns_unmapped(trace.axis_data):
        yield f"{UNMAPPED}:{size}"
    if name == "jit":
        return
    axis = trace.to_batch_info(tracers[0])[1]
    if name == "random_gamma" and any(trace.to_batch_info(each)[1] is not None for each in tracers):
        # Its batching rule broadcasts the unmapped operands, with the new axis in front.
        axis = 0
    yield f"{LEVEL}:{size}:{'' if axis is None else axis}"


def _returns_unmapped(axis_data: Any) -> bool:
    """Return whether the running vmap over `axis_data` has a None among its `out_axes`.

    A jaxpr that is batched gets no mark: JAX reuses it for other vmaps of that size.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and "batch_jaxpr" not in frame.f_code.co_name:
        if frame.f_code.co_qualname == VMAP and frame.f_locals.get("axis_data") is axis_data:
            return _has_none(frame.f_locals.get("out_axes", 0))
        frame = frame.f_back
    return False


def _has_none(axes: object) -> bool:
    if isinstance(axes, dict):
        axes = tuple(axes.values())
    return any(map(_has_none, axes)) if isinstance(axes, tuple | list) else axes is None


def _with_branch_masks(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the batching rule of ``cond`` so that each branch knows the examples that take it.

    With a mapped predicate, JAX runs all branches for all examples and selects
    (https://github.com/jax-ml/jax/issues/8409), so some draws reach no example.
    """

    @functools.wraps(rule)
    def batch_cond(axis_data: Any, arguments: Any, dims: Any, *, branches: Any, **parameters: Any) -> Any:
        try:
            if dims[0] is not None and is_dispatched() and _may_be_masked(branches, parameters):
                return masked(axis_data, arguments, dims, branches)
        except Exception:
            # The branches have no effects: a failure of theirs repeats below, and one of ours does not.
            note(_WITHOUT_MASKS)
        return rule(axis_data, arguments, dims, branches=branches, **parameters)

    def masked(axis_data: Any, arguments: Any, dims: Any, branches: Any) -> Any:
        index, *operands = (
            batching.bdim_at_front(each, axis, axis_data.size, mesh_axis=axis_data.explicit_mesh_axis)
            for each, axis in zip(arguments, dims, strict=True)
        )
        outputs = []
        choice = next(_choices)
        for number, branch in enumerate(branches):
            taken = index == number
            # Only for derivatives: an operand of another branch must not reach the gradient, not even as 0 * inf.
            own = [_chosen(taken, each, jax.lax.stop_gradient(each)) for each in operands]
            outputs.append(_run_branch(branch, (choice, number), axis_data, taken, own))
        chosen = list(outputs[0])
        for number, others in enumerate(outputs[1:], 1):
            chosen = [_chosen(index == number, new, old) for new, old in zip(others, chosen, strict=True)]
        return chosen, [0] * len(chosen)

    return batch_cond


def _may_be_masked(branches: Any, parameters: Mapping[str, Any]) -> bool:
    plain = parameters.get("branches_platforms") or any(each.effects for each in branches)
    return not plain and any(has_random(branch.jaxpr) for branch in branches)


class Branch(msgspec.Struct, frozen=True):
    """A branch of a mapped ``cond`` that runs operation by operation."""

    choice: int
    """Number of the ``cond``."""
    number: int
    taken: np.ndarray
    """bool[examples...]: mask of the examples that take the branch."""


class _Branches(threading.local):
    current: tuple[Branch, ...] = ()


_branches = _Branches()
_choices = itertools.count()
_masked_branches: weakref.WeakKeyDictionary[ClosedJaxpr, dict[int, Callable[..., Any]]] = weakref.WeakKeyDictionary()


def current_branches() -> tuple[Branch, ...]:
    """Return the branches that run operation by operation in this thread, outermost first."""
    return _branches.current


def _run_branch(branch: ClosedJaxpr, place: tuple[int, int], axis_data: Any, taken: Any, operands: list[Any]) -> Any:
    """Return the outputs of `branch` for all examples, and note for the recorder which examples take it.

    `place` is (number of the ``cond``, number of the branch).
    """
    every_in, every_out = [True] * len(branch.in_avals), [True] * len(branch.out_avals)
    batched, _ = batching.batch_jaxpr(branch, axis_data, every_in, every_out)
    examples = _value(taken)
    if examples is None:
        return _masked_branch(batched, place[1])(taken, *operands)
    outer = _branches.current
    _branches.current = (*outer, Branch(*place, examples))
    try:
        return jaxpr_as_fun(batched)(*operands)
    finally:
        _branches.current = outer


def _value(array: Any) -> np.ndarray | None:
    """Return the value of `array` with its mapped axes in front, outermost first; None during the trace of a jaxpr."""
    if not isinstance(array, jax.core.Tracer):
        return np.asarray(array)
    if isinstance(array, batching.BatchTracer):
        inner = _value(array.val)
        return inner if inner is None or array.batch_dim is None else np.moveaxis(inner, array.batch_dim, 0)
    # A tracer of a derivative.
    return _value(array.primal) if hasattr(array, "primal") else None


def _masked_branch(batched: ClosedJaxpr, number: int) -> Callable[..., Any]:
    """Return `batched` as a jitted function: its name has the branch number, its first argument is the branch mask."""
    made = _masked_branches.setdefault(batched, {})
    if number not in made:
        # The cache's values must not keep its keys alive.
        reference = weakref.ref(batched)

        def run(_taken: Any, *operands: Any) -> Any:
            return jaxpr_as_fun(reference())(*operands)

        run.__name__ = f"{_BRANCH}{number}"
        made[number] = jax.jit(run)
    return made[number]


def mapped_branch(name: str) -> int | None:
    """Return the branch number of the jitted function `name`, or None if it is no branch of a mapped ``cond``.

    The first argument of a branch is the mask of the examples that take it.
    """
    return int(name[len(_BRANCH) :]) if name.startswith(_BRANCH) else None


def _chosen(predicate: Any, new: Any, old: Any) -> Any:
    """Return `new` where `predicate`, bool[examples], is true, else `old`; both are [examples, ...]."""
    return jax.lax.select(jax.lax.broadcast_in_dim(predicate, new.shape, (0,)), new, old)


def _without_hoisting(hoist: Callable[..., Any]) -> Callable[..., Any]:
    """Disable the hoisting of constant work out of a scan in its derivative.

    After hoisting, a key that is used in every iteration would appear to be used once. A loop without keys is left as
    it is: with nothing hoisted, its derivative needs more memory.
    """

    @functools.wraps(hoist)
    def keep(jaxpr: Any, constants: Any, residuals: int, *stacked: int) -> Any:
        # Since JAX 0.11, residuals of every iteration are counted separately, and never hoisted.
        if not is_dispatched() or not has_random(jaxpr.jaxpr):
            return hoist(jaxpr, constants, residuals, *stacked)
        return jaxpr, constants, [False] * residuals, []

    return keep


def _dispatched(call_back: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `call_back`, which XLA calls in the middle of a program, so that its operations are recorded.

    Callbacks: https://docs.jax.dev/en/latest/external-callbacks.html.
    """

    @functools.wraps(call_back)
    def recorded(*arguments: Any, **parameters: Any) -> Any:
        if not is_recording():
            return call_back(*arguments, **parameters)
        with dispatched_again():
            return call_back(*arguments, **parameters)

    return recorded
