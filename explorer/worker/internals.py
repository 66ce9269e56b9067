"""The one home of JAX's private parts that the key recorder needs, written for JAX 0.10 and 0.11.

JAX has no public place where all operations of a program pass by. The one used here is its own dispatch point for
checking keys: with the flag ``jax_debug_key_reuse`` on, every operation on concrete arrays goes through one
function of ``jax.experimental.key_reuse``, and no compiled fast path goes around it.
"""

from __future__ import annotations

import functools
import itertools
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax._src import config, core, source_info_util
from jax._src.interpreters import batching
from jax._src.lax.control_flow import conditionals, loops
from jax._src.lib import xla_client  # type: ignore[attr-defined]
from jax.experimental.key_reuse import _core as key_reuse
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxpr_as_fun, jaxprs_in_params

KEY_OPERATIONS = {
    "random_seed": "seed",
    "random_split": "split",
    "random_fold_in": "fold_in",
    "random_bits": "draw",
    "random_gamma": "draw",
    "random_clone": "clone",
}
"""What each primitive on keys does. They are told by name: not all of them can be imported."""

_BRANCH = "__jax_explorer_branch_"
_LEVEL = "~vmap"

Traceback = Any
"""``jaxlib``'s compact traceback: ``raw_frames()`` gives code objects and instruction offsets, innermost first."""
NameStack = tuple[Any, ...]
Dispatch = Callable[..., Any]


# -- the dispatch point -----------------------------------------------------------------------


@contextmanager
def dispatched_to(hook: Callable[[Any, Dispatch, tuple[Any, ...], dict[str, Any]], Any]) -> Iterator[None]:
    """Let ``hook(primitive, implementation, arguments, parameters)`` carry out every operation in the block."""

    saved = key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr

    def call(primitive: Any, implementation: Dispatch, *arguments: Any, **parameters: Any) -> Any:
        def recorded(*arguments: Any, **parameters: Any) -> Any:
            return hook(primitive, implementation, arguments, parameters)

        if _checks_are_asked_for():
            return saved[0](primitive, recorded, *arguments, **parameters)
        return recorded(*arguments, **parameters)

    def check(jaxpr: Any) -> None:
        # JAX's static check raises while tracing; it must not unless the program itself asks for it.
        if _checks_are_asked_for():
            saved[1](jaxpr)

    key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr = call, check  # type: ignore[assignment]
    # For the whole process, not by the context manager: the program may start threads.
    flag = config.debug_key_reuse.get_global()
    jax.config.update("jax_debug_key_reuse", True)
    try:
        yield
    finally:
        jax.config.update("jax_debug_key_reuse", flag)
        key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr = saved


def _checks_are_asked_for() -> bool:
    """Return whether the program itself has turned JAX's checks on, ``with jax.debug_key_reuse(True)``."""
    return config.debug_key_reuse.get_local() is True


def undispatched() -> Any:
    """Return a context in which this thread's operations go JAX's usual way, with its usual caches."""
    return jax.debug_key_reuse(False)


def is_dispatched() -> bool:
    """Return whether operations go through the dispatch point here."""
    return bool(config.debug_key_reuse.value)


def concrete(arguments: Sequence[Any]) -> list[Any]:
    """Return `arguments` without the wrappers that tracing leaves. Raises UnexpectedTracerError for a leaked one.

    The dispatch point leaves both to who is called there.
    """
    lowered = [core.full_lower(argument) for argument in arguments]
    core.check_eval_args(lowered)
    return lowered


# -- where an operation comes from ------------------------------------------------------------


def current_source() -> tuple[tuple[Traceback, ...], NameStack]:
    """Return the tracebacks, innermost first, and the name stack of the operation being carried out."""
    source: Any = source_info_util.current()
    python_stack = xla_client.Traceback.get_traceback()
    if source.traceback.raw_frames()[0][-1:] == python_stack.raw_frames()[0][-1:]:
        return (source.traceback,), source.name_stack.stack
    # JAX is evaluating an equation of a jaxpr, whose traceback ends where its tracing began.
    return (source.traceback, python_stack), source.name_stack.stack


def equation_source(equation: JaxprEqn) -> tuple[Traceback, NameStack]:
    """Return the traceback and the name stack that `equation` was traced with, from its own jaxpr on."""
    return equation.source_info.traceback, equation.source_info.name_stack.stack


def is_user_file(filename: str) -> bool:
    """Return whether JAX takes code in `filename` for its user's."""
    return bool(source_info_util.is_user_filename(filename))


def transforms(stack: NameStack) -> Iterator[str]:
    """Yield the names of the transformations in `stack`, outermost first."""
    return (entry.name for entry in stack if isinstance(entry, source_info_util.Transform))


def scopes(stack: NameStack) -> Iterator[str]:
    """Yield the names of the scopes in `stack`, outermost first."""
    return (entry.name for entry in stack if isinstance(entry, source_info_util.Scope))


def vmap_levels(stack: NameStack) -> list[tuple[int, int | None]]:
    """Return (size, axis) of every vmap that an operation on keys went through, innermost first.

    The axis counts among those the array had at that level; it is None where the level does not map the array.
    """
    marks = (name.split(":") for name in scopes(stack) if name.startswith(_LEVEL))
    return [(int(size), int(axis) if axis else None) for _, size, axis in marks]


# -- structure of equations -------------------------------------------------------------------


def bind(equation: JaxprEqn, arguments: Sequence[Any]) -> list[Any]:
    """Carry out `equation` as it stands and return its outputs."""
    parameters = equation.primitive.get_bind_params(equation.params)
    outputs = equation.primitive.bind(*arguments, **parameters)
    return list(outputs) if equation.primitive.multiple_results else [outputs]


def has_random(jaxpr: Jaxpr) -> bool:
    """Return whether there are operations on keys in `jaxpr`, however deep."""
    known = _random.get(jaxpr)
    if known is None:
        known = _random[jaxpr] = any(
            equation.primitive.name in KEY_OPERATIONS or carries_random(equation.params) for equation in jaxpr.eqns
        )
    return known


def carries_random(parameters: dict[str, Any]) -> bool:
    """Return whether a jaxpr in an operation's `parameters` has operations on keys."""
    return any(has_random(jaxpr) for jaxpr in jaxprs_in_params(parameters))


_random: weakref.WeakKeyDictionary[Jaxpr, bool] = weakref.WeakKeyDictionary()


def scan_counts(parameters: dict[str, Any], arguments: Sequence[Any]) -> tuple[int, int]:
    """Return how many of a scan's arguments are constants and how many are carried."""
    if "num_consts" in parameters:
        return parameters["num_consts"], parameters["num_carry"]
    # From 0.11 on the arguments come as a tree of (constants, carry, slices).
    constants, carry, _ = parameters["ft_in"].update(arguments).unpack()
    return len(list(constants)), len(list(carry))


def shard_map_axes(parameters: dict[str, Any]) -> tuple[str, ...]:
    """Return the mesh axes that a shard_map is manual over, in the order of the mesh."""
    manual = parameters["newly_manual_axes"]
    return tuple(name for name in parameters["mesh"].axis_names if name in manual)


def is_specified(sharding: Any) -> bool:
    """Return whether a jit was told this sharding; JAX has a private object for "not told"."""
    return not type(sharding).__name__.startswith("Unspecified")


def implementation_name(keys: Any) -> str:
    """Return the name of the generator of the key array `keys`, also of one that JAX does not know by name."""
    return str(keys.dtype._impl.name)


def key_words(keys: Any) -> Any:
    """Return the words of the key array `keys`: uint32 of their shape and one more axis."""
    # Public, but a dispatch: jax.random.key_data. For concrete keys the array is right there.
    words = keys._base_array if hasattr(keys, "_base_array") else jax.random.key_data(keys)
    return words if words.ndim == keys.ndim + 1 else words.reshape(*keys.shape, -1)


# -- patches that make the lineage exact ------------------------------------------------------


def install_patches() -> None:
    """Patch JAX in three places, once. The patches act only while a program is recorded.

    JAX keeps what it traces with the flag on apart from the rest, so none of this is seen outside a recording. A
    patch that this version of JAX has no place for is left out, and `patch_notes` says what that costs.
    """
    if _installed:
        return
    for patch, cost in (
        (_mark_levels, "Sharing may be missed: it cannot be told which vmap does not map a key."),
        (_mask_branches, "Under vmap, keys seem to be used in all branches of a cond."),
        (_keep_in_loops, "In derivatives of loops, a key used in every round may seem to be used once."),
    ):
        try:
            patch()
            _installed.append(True)
        except (AttributeError, KeyError):
            patch_notes.append(cost)
            _installed.append(False)


_installed: list[bool] = []
patch_notes: list[str] = []


def _mark_levels() -> None:
    batching.BatchTrace.process_primitive = _with_level_marks(  # type: ignore[method-assign]
        batching.BatchTrace.process_primitive
    )


def _mask_branches() -> None:
    rule = batching.fancy_primitive_batchers[conditionals.cond_p]
    batching.fancy_primitive_batchers[conditionals.cond_p] = _with_branch_masks(rule)


def _keep_in_loops() -> None:
    loops._scan_known_hoisting = _without_hoisting(loops._scan_known_hoisting)


def _with_level_marks(process: Callable[..., Any]) -> Callable[..., Any]:
    """Return BatchTrace's method with each operation on keys marked by the vmap that it goes through.

    The batching rules forget which axis belongs to which vmap, and leave no trace of one that does not map a key.
    """

    @functools.wraps(process)
    def process_primitive(self: Any, primitive: Any, tracers: Any, parameters: Any, /) -> Any:
        if primitive.name not in KEY_OPERATIONS or not is_dispatched():
            return process(self, primitive, tracers, parameters)
        axis = self.to_batch_info(tracers[0])[1]
        if primitive.name == "random_gamma" and any(self.to_batch_info(each)[1] is not None for each in tracers):
            # Its batching rule broadcasts whatever is not mapped, to the front.
            axis = 0
        with source_info_util.extend_name_stack(f"{_LEVEL}:{self.axis_data.size}:{'' if axis is None else axis}"):
            return process(self, primitive, tracers, parameters)

    return process_primitive


def _with_branch_masks(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return the batching rule of ``cond`` such that each branch knows which examples take it.

    With a mapped predicate JAX runs all branches on all examples and selects: draws that no example asked for.
    """

    @functools.wraps(rule)
    def batch_cond(axis_data: Any, arguments: Any, dims: Any, *, branches: Any, **parameters: Any) -> Any:
        plain = dims[0] is None or parameters.get("branches_platforms") or any(each.effects for each in branches)
        if plain or not is_dispatched() or not any(has_random(branch.jaxpr) for branch in branches):
            return rule(axis_data, arguments, dims, branches=branches, **parameters)
        index, *operands = (
            batching.bdim_at_front(each, axis, axis_data.size, mesh_axis=axis_data.explicit_mesh_axis)
            for each, axis in zip(arguments, dims, strict=True)
        )
        outputs = []
        choice = next(_choices)
        for number, branch in enumerate(branches):
            taken = index == number
            # Only for derivatives: what an example does not take must not reach its gradient, not even as 0 * inf.
            own = [_chosen(taken, each, jax.lax.stop_gradient(each)) for each in operands]
            outputs.append(_run_branch(branch, (choice, number), axis_data, taken, own))
        chosen = list(outputs[0])
        for number, others in enumerate(outputs[1:], 1):
            chosen = [_chosen(index == number, new, old) for new, old in zip(others, chosen, strict=True)]
        return chosen, [0] * len(chosen)

    return batch_cond


@dataclass(frozen=True)
class Branch:
    """A branch of a mapped ``cond`` that is being carried out operation by operation."""

    choice: int
    """A number for the ``cond``."""
    number: int
    taken: np.ndarray
    """bool[examples...]: who takes it."""


class _Branches(threading.local):
    current: tuple[Branch, ...] = ()


_branches = _Branches()
_choices = itertools.count()
_masked_branches: weakref.WeakKeyDictionary[ClosedJaxpr, dict[int, Callable[..., Any]]] = weakref.WeakKeyDictionary()


def current_branches() -> tuple[Branch, ...]:
    """Return the branches that are being carried out operation by operation in this thread, outermost first."""
    return _branches.current


def _run_branch(branch: ClosedJaxpr, place: tuple[int, int], axis_data: Any, taken: Any, operands: list[Any]) -> Any:
    """Return the outputs of `branch` for all examples at once, with a note for the recorder of who takes it.

    `place` is a number for the ``cond`` and that of the branch.
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
    """Return what is in `array` with all its mapped axes, the outermost first; None while a jaxpr is traced."""
    if not isinstance(array, jax.core.Tracer):
        return np.asarray(array)
    if isinstance(array, batching.BatchTracer):
        inner = _value(array.val)
        return inner if inner is None or array.batch_dim is None else np.moveaxis(inner, array.batch_dim, 0)
    # Tracers of derivatives.
    return _value(array.primal) if hasattr(array, "primal") else None


def _masked_branch(batched: ClosedJaxpr, number: int) -> Callable[..., Any]:
    """Return `batched` as a jitted function whose name tells the branch and whose first argument tells who takes it."""
    made = _masked_branches.setdefault(batched, {})
    if number not in made:
        # The cache must not keep its own keys alive.
        reference = weakref.ref(batched)

        def run(_taken: Any, *operands: Any) -> Any:
            return jaxpr_as_fun(reference())(*operands)

        run.__name__ = f"{_BRANCH}{number}"
        made[number] = jax.jit(run)
    return made[number]


def mapped_branch(name: str) -> int | None:
    """Return which branch of a mapped ``cond`` the jitted function `name` stands for, None if it is no such thing.

    The first argument of one that is tells which examples take the branch.
    """
    return int(name[len(_BRANCH) :]) if name.startswith(_BRANCH) else None


def _chosen(predicate: Any, new: Any, old: Any) -> Any:
    """Return `new` where the examples' `predicate` is true, else `old`; both have the examples in front."""
    return jax.lax.select(jax.lax.broadcast_in_dim(predicate, new.shape, (0,)), new, old)


def _without_hoisting(hoist: Callable[..., Any]) -> Callable[..., Any]:
    """Return the step of a scan's derivative that moves constant work out of the loop, as one that moves nothing.

    A key that the program uses in every round would seem to be used once.
    """

    @functools.wraps(hoist)
    def keep(jaxpr: Any, constants: Any, residuals: int) -> Any:
        if not is_dispatched():
            return hoist(jaxpr, constants, residuals)
        return jaxpr, constants, [False] * residuals, []

    return keep
