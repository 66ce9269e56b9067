"""Outputs of a jitted function that a listener gets after each call, also on jit's fast path, for JAX 0.10 to 0.12.

jit's fast path is compiled code, which knows the structure of a program's outputs. Instead of it, that code gets a node
of ours with all outputs as leaves, which passes them through Python: no call leaves the fast path. The structure itself
builds the user's tree then, untouched: a copy of its nodes can be another tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jax._src import source_info_util, traceback_util, tree_util

from explorer.worker.internals.guard import Guard

# Frames of this file stand between a call and its listener.
source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


class WatchedOutputs:
    """The flat outputs at `places`, ascending, of one program."""

    def __init__(self, places: Sequence[int], listener: Callable[[list[Any]], None], guard: Guard) -> None:
        self._places = places
        self._listener = listener
        self._guard = guard

    def returned(self, outputs: Sequence[Any]) -> None:
        """Pass the watched ones of all flat `outputs` of a call on."""
        self._guard(self._pass_on, outputs)

    def _pass_on(self, outputs: Sequence[Any]) -> None:
        self._listener([outputs[place] for place in self._places])

    def watching(self, fast_path: Any, count: int) -> Any:
        """Return the data of a fast path that passes each call on; as it is unless it has `count` leaves."""
        return self._guard.call_or(self._changed, fast_path, count, instead=fast_path)

    def _changed(self, fast_path: Any, count: int) -> Any:
        if fast_path is None or fast_path.out_pytree_def.num_leaves != count:
            return fast_path
        mark = _Mark, (self, fast_path.out_pytree_def)
        leaves = [tree_util.tree_structure(0)] * count
        node = tree_util.PyTreeDef.from_node_data_and_children(tree_util.dispatch_registry, mark, leaves)
        return fast_path._replace(out_pytree_def=node)


class _Mark:
    """The type of the node around all leaves; there is no instance, because the node becomes the user's tree."""


def _nothing(_mark: _Mark) -> tuple[tuple[()], Any]:
    return (), None


def _built(mark: tuple[WatchedOutputs, Any], leaves: Sequence[Any]) -> Any:
    watched, tree = mark
    watched.returned(leaves)
    return tree.unflatten(leaves)


tree_util.register_pytree_node(_Mark, _nothing, _built)
