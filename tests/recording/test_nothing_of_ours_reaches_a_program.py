"""Errors of ours inside JAX while a program runs: the program has its own result, and the report mentions the error."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random
from jax.experimental.compilation_cache import compilation_cache

from explorer.recording import recording
from explorer.worker.checks.by_kind import rank_broadcast, timed_too_early, weak_type_recompile
from explorer.worker.checks.tracing.live_inspection import LiveInspection
from explorer.worker.checks.values import not_finite, rules, sites, traced_checks
from explorer.worker.checks.values.value_log import ValueLog
from explorer.worker.internals import jaxprs, patches, promotions, sources, zero_gradients
from explorer.worker.internals.jit import fast_calls, jaxpr_lookups
from explorer.worker.internals.jit.watched_outputs import WatchedOutputs
from explorer.worker.program import retraces
from explorer.worker.recording import recorder, rewritten_jit
from explorer.worker.recording.call_log import CallLog
from explorer.worker.recording.event_log import EventLog

pytestmark = pytest.mark.rest

HOOKS: dict[str, tuple[tuple[Any, str], ...]] = {
    "keys": (
        (jaxprs, "carries_random"),
        (jaxprs, "is_opaque"),
        (recorder, "key_event"),
        (EventLog, "add_operation"),
        (EventLog, "add_call"),
        (EventLog, "leave_out"),
    ),
    "values": (
        (rules, "bounds"),
        (rules, "is_finite"),
        (not_finite, "origin"),
        (traced_checks, "form"),
        (ValueLog, "_add"),
        (sites, "draw"),
    ),
    "tracing": (
        (jaxpr_lookups, "_arguments"),
        (retraces, "why"),
        (retraces.CompilationMeter, "_count"),
        (LiveInspection, "_called"),
        (rank_broadcast.Watch, "_look"),
        (promotions._Operations, "function"),
        (weak_type_recompile.Watch, "_look"),
        (timed_too_early.Watch, "_look"),
        (zero_gradients, "_place"),
        (zero_gradients, "_outputs"),
    ),
    "": (
        (sources, "current_source"),
        (rewritten_jit, "traced"),
        (patches, "_level_marks"),
        (patches, "_run_branch"),
        (patches, "current_branches"),
        (fast_calls, "_like"),
        (fast_calls, "copied"),
        (WatchedOutputs, "_changed"),
        (WatchedOutputs, "_pass_on"),
        (CallLog, "_find"),
        (CallLog, "_called"),
    ),
}
"""By the part of a report that then says it failed, functions of ours that hooks inside JAX call."""


Plain = collections.namedtuple("Plain", ["x", "total"])
Noted = collections.namedtuple("Noted", ["x", "total", "note"])
"""Registered as a pytree of its own, as the states of jax.example_libraries.optimizers: the note is no leaf."""
Turned = collections.namedtuple("Turned", ["x"])
"""A named tuple of one field that has two children."""


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Data:
    x: Any
    total: Any
    note: str = dataclasses.field(default="", metadata={"static": True})


@jax.tree_util.register_pytree_with_keys_class
class Picky:
    """Built of arrays alone, always two."""

    def __init__(self, x: Any, total: Any) -> None:
        assert all(isinstance(each, jax.Array) for each in (x, total))
        self.x, self.total = x, total

    def tree_flatten_with_keys(self) -> Any:
        return (("x", self.x), ("total", self.total)), None

    @classmethod
    def tree_unflatten(cls, _: Any, children: Any) -> Any:
        return cls(*children)


jax.tree_util.register_pytree_node(
    Noted, lambda tree: ((tree.total, tree.x), tree.note), lambda note, xs: Noted(xs[1], xs[0], note)
)
jax.tree_util.register_pytree_node(Turned, lambda tree: (tree.x, None), lambda _, xs: Turned(xs))
TREES: dict[str, Callable[[Any, Any], Any]] = {
    "array": lambda x, total: x + total,
    "dataclass": lambda x, total: Data(collections.OrderedDict(z=x), total),
    "nested": lambda x, total: {"a": [None, (), Noted(x, total, "")], "b": Plain(Picky(x, total), Turned((total, x)))},
}


def program() -> Any:
    """Do a little of everything that is recorded, with each kind of tree."""
    keys = random.split(random.key(3), 6)
    noisy = jax.jit(lambda x, key: x + random.normal(key, x.shape))
    chosen = jax.vmap(lambda x, key: lax.cond(x > 0, lambda: random.normal(key), lambda: x))
    x = jnp.arange(3.0)
    return (
        [noisy(x, key) for key in keys[:2]],
        noisy(jnp.ones(2), keys[2]),
        chosen(x - 1, random.split(keys[3], 3)),
        lax.scan(lambda key, _: (random.split(key)[0], random.uniform(key)), keys[4], None, 3)[1],
        jax.grad(lambda x: (x * random.bernoulli(keys[5], 0.5, (3,))).sum())(x),
        x[jnp.array([1, 9, 0])] / x,
        jax.jit(lambda x, at: x[at])(x, jnp.array([1, 9])),
        jnp.asarray(np.float64(1e300)),
        (jnp.ones((3, 1)) - x).sum(),
        jax.checkpoint(jnp.sin)(x),
        jax.jit(lambda x: x + 0 * np.random.rand())(1.0),
        {name: steps(make) for name, make in TREES.items()},
    )


def steps(make: Callable[[Any, Any], Any]) -> Any:
    """Return what each step gives of a few that take the tree of the one before, once donated, once with a draw."""

    def step(tree: Any, key: Any = None) -> Any:
        noise = 0.0 if key is None else random.normal(key)
        leaves = jax.tree.leaves(tree)
        return make(0.5 * leaves[0], jnp.sum(leaves[-1]) + noise)

    seen = []
    for jitted, keys in (
        (jax.jit(step), random.split(random.key(5), 3)),
        (jax.jit(step, donate_argnums=0), [None] * 3),
    ):
        tree = make(jnp.arange(3.0), jnp.float32(1))
        for key in keys:
            tree = jitted(tree, key)
            seen += [np.array(leaf) for leaf in jax.tree.leaves(tree)]
        seen.append(tree)
    return seen


@pytest.fixture(autouse=True, scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let XLA compile the program once; JAX traces and lowers it anew each time, which is where our hooks are."""
    for folder, least_s in ((str(tmp_path_factory.mktemp("compiled")), 0.0), (None, 1.0)):
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", least_s)
        compilation_cache.reset_cache()
        if folder:
            yield


@pytest.fixture(scope="module")
def plain() -> Any:
    """Return the output of the program in plain Python."""
    return bits(program())


def bits(result: Any) -> Any:
    leaves, structure = jax.tree.flatten(result)
    return structure, [np.asarray(leaf).tobytes() for leaf in leaves]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("part", "place", "name"),
    [pytest.param(part, *each, id=f"{each[1]}") for part, hooks in HOOKS.items() for each in hooks],
)
def test_what_fails_of_ours_changes_nothing(
    part: str, place: Any, name: str, plain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = []

    def fail(*_: Any, **__: Any) -> Any:
        failed.append(name)
        raise RuntimeError("ours")

    monkeypatch.setattr(place, name, fail)
    # What JAX has traced for an earlier recording would go around the hooks.
    jax.clear_caches()
    with recording(values=part == "values") as keys:
        result = program()
    monkeypatch.undo()
    assert bits(result) == plain
    assert failed != []
    if part:
        # Of the values the rest of the run counts as checked in part.
        extents = {each.part: each.extent for each in keys._found().coverage}
        assert extents[part] == ("partly" if part == "values" else "failed")
