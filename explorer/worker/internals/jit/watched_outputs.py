"""Outputs of a jitted function that a listener gets after each call, also on jit's fast path, for JAX 0.10 to 0.12.

jit's fast path is compiled code, which knows the structure of a program's outputs. A node of ours around a leaf in that
structure has it pass the leaf through Python: no call leaves the fast path, and no other output is touched.
"""

from __future__ import annotations

import threading
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
        self._came: dict[int, list[Any]] = {}
        """The outputs of the current call so far, by thread."""

    def returned(self, outputs: Sequence[Any]) -> None:
        """Pass the watched ones of all flat `outputs` of a call on."""
        self._guard(self._listener, [outputs[place] for place in self._places])

    def watching(self, fast_path: Any, count: int) -> Any:
        """Return the data of a fast path that passes each call on; as it is unless it has `count` leaves."""
        return self._guard.ask(self._changed, fast_path, count, instead=fast_path)

    def _changed(self, fast_path: Any, count: int) -> Any:
        if fast_path is None or fast_path.out_pytree_def.num_leaves != count:
            return fast_path
        return fast_path._replace(out_pytree_def=self._marked(fast_path.out_pytree_def, 0))

    def _marked(self, tree: Any, first: int) -> Any:
        """Return `tree`, whose first leaf is number `first` of all, with a node around each watched leaf."""
        if tree_util.treedef_is_leaf(tree):
            mark = _Mark, (self, self._places.index(first))
            return tree_util.PyTreeDef.from_node_data_and_children(tree_util.dispatch_registry, mark, [tree])
        children = []
        for child in tree.children():
            end = first + child.num_leaves
            has_some = any(first <= place < end for place in self._places)
            children.append(self._marked(child, first) if has_some else child)
            first = end
        # Built from the structure alone: nodes may be instances of user classes.
        return tree_util.PyTreeDef.from_node_data_and_children(tree_util.dispatch_registry, tree.node_data(), children)

    def came(self, leaf: Any, number: int) -> None:
        """Take output `number` of the watched ones of a call on the fast path; they come in order."""
        count = len(self._places)
        if count == 1:
            self._guard(self._listener, [leaf])
            return
        thread = threading.get_ident()
        # An interrupt may have ended the call before.
        outputs = [*self._came.pop(thread, ()), leaf] if number else [leaf]
        if number == count - 1:
            self._guard(self._listener, outputs)
        else:
            self._came[thread] = outputs


class _Mark:
    """The type of the node around a leaf; there is no instance, because the node becomes the leaf."""


def _nothing(_mark: _Mark) -> tuple[tuple[()], Any]:
    return (), None


def _leaf(mark: tuple[WatchedOutputs, int], leaves: Sequence[Any]) -> Any:
    (leaf,) = leaves
    watched, number = mark
    watched.came(leaf, number)
    return leaf


tree_util.register_pytree_node(_Mark, _nothing, _leaf)
