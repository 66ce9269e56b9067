"""key_lineage(): the lineage of all keys of a run, from its recordings; key_graph(): the graph of them to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import numpy.typing as npt

from explorer.figures.equal_rows import Integers, Words
from explorer.messages import KEY_STATES, ORIGINS, Array, KeyGraph
from explorer.text.text import Text, say
from explorer.worker.code.trees import leaves
from explorer.worker.lineage.call_sites import CallSiteFinder
from explorer.worker.lineage.key_numbers import as_slice
from explorer.worker.lineage.key_uses import KeyLedger, ledger
from explorer.worker.lineage.lineage import Lineage, in_order, lineage
from explorer.worker.lineage.misuse.harmless import harmless_allowed
from explorer.worker.lineage.sharing import NO_DRAWS
from explorer.worker.recording.recorder import Recording

Booleans = npt.NDArray[np.bool_]

PATIENCE_S = 1.0
"""Seconds to wait for the pending computations of a failed program."""


def key_lineage(*recordings: Recording, outputs: Any = None, variant: tuple[int, int] | None = None) -> Lineage:
    """Return the makers and uses of all keys in `recordings`, which together are one run.

    `outputs` is the program's return value: keys in it do not count as unused. `variant` is the first and last line of
    the function that the last recording is of; calls of it in earlier ones do not count.
    """
    for each in recordings:
        if each.error is not None:
            each.log.settle(PATIENCE_S)
    book = ledger([each.log for each in recordings], CallSiteFinder(recordings[-1].is_user_code), variant)
    return harmless_allowed(lineage(book, _in_outputs(book, outputs)))


def key_graph(known: Lineage) -> KeyGraph:
    """Return the graph of all key values of a run.

    One draw serves all examples where vmap does not map the key or all examples got equal keys: `draw_serves` is the
    number of these examples over all such axes. `draw_example` counts along the outermost axis on which keys differ,
    and is -1 without such an axis.
    """
    book, family = known.book, known.family
    draw_key, draw_site, draw_example, draw_serves = _draw_columns(known)
    is_split = np.array([*(uses.event.operation == "split" for uses in book.uses), False]).take(known.consumed.use)
    levels = {axis.level for draws in known.draws for axis in draws.shared}
    return KeyGraph(
        data=Array.of(book.words),
        implementation=Array.of(book.implementation),
        implementations=book.implementations,
        parent=Array.of(family.parent),
        origin=Array.of(family.origin),
        index=Array.of(family.label),
        site=Array.of(known.site_of.take(family.use)),
        state=Array.of(_states(known)),
        times=Array.of(known.times),
        draw_key=Array.of(draw_key),
        draw_site=Array.of(draw_site),
        draw_example=Array.of(draw_example),
        draw_serves=Array.of(draw_serves),
        split_key=Array.of(known.consumed.keys[is_split]),
        split_site=Array.of(known.site_of[known.consumed.use[is_split]]),
        other_parents=Array.of(family.others),
        sites=known.sites,
        shared_by="devices" if levels == {None} else "examples",
        seeds=_count(book, "seed"),
        splits=_count(book, "split") + _count(book, "fold_in"),
        draws=len(draw_key) + book.left_out,
        notes=_notes(book),
    )


def _draw_columns(known: Lineage) -> list[Integers]:
    """Return the columns (key, site, example, serves) of all draws, int32[draws], in the order of the run."""
    rows = [
        (draws.keys, np.broadcast_to(site, len(draws.keys)), draws.example, draws.serves)
        for site, draws in zip(known.site_of, [*known.draws, NO_DRAWS], strict=True)
    ]
    order = in_order([draws.moments for draws in known.draws])
    return [_together(column)[order] for column in zip(*rows, strict=True)]


def _together(parts: Sequence[Integers]) -> Integers:
    """Return `parts` on one axis as int32, without a copy for a single part or a single repeated value."""
    filled = [part for part in parts if len(part)]
    if len(filled) != 1:
        return np.concatenate(parts, dtype=np.int32, casting="same_kind")
    (alone,) = filled
    return alone.astype(np.int32, copy=False) if any(alone.strides) else np.broadcast_to(np.int32(alone[0]), len(alone))


def _states(known: Lineage) -> npt.NDArray[np.uint8]:
    """Return the state of each key, uint8[keys]; where several apply, the one that matters most to a user."""
    book, family = known.book, known.family
    states = np.full(book.size, KEY_STATES.index("fresh"), np.uint8)

    def where(keys: Booleans | Integers, state: str) -> None:
        states[keys if keys.dtype == np.bool_ else as_slice(keys)] = KEY_STATES.index(state)

    is_child = family.origin == ORIGINS.index("split")
    where(is_child & ~known.is_operand & ~known.in_outputs & ~known.is_internal, "unused")
    for uses in book.uses:
        if uses.event.operation in ("split", "fold_in") and not uses.call_site.inside:
            where(uses.spent, "split")
    for uses, draws in zip(book.uses, known.draws, strict=True):
        where(draws.keys, "drawn")
        if uses.event.operation == "split" and uses.call_site.inside:
            # A sampler that splits its key has consumed it.
            where(uses.spent, "drawn")
    where(family.origin == ORIGINS.index("input"), "orphan")
    for draws in known.draws:
        where(draws.keys[draws.serves > 1], "shared")
    where(_reused(known), "reused")
    return states


def _reused(known: Lineage) -> Booleans:
    """Return a mask of the keys that are used too often, bool[keys].

    A JAX sampler may use its own derived key twice. But if it is called twice with one key, its derived keys repeat
    too.
    """
    too_often = np.flatnonzero(known.times > known.allowed)
    by_jax = [bool(uses.call_site.inside) and not uses.call_site.library for uses in known.book.uses]
    inside_jax = np.array([*by_jax, False]).take(known.family.use[too_often])
    reused = np.zeros(known.book.size, np.bool_)
    reused[too_often[~inside_jax]] = True
    left = too_often[inside_jax]
    while len(follows := left[reused[known.family.parent[left]]]):
        reused[follows] = True
        left = left[~reused[left]]
    return reused


def _count(book: KeyLedger, operation: str) -> int:
    """Return the number of keys seeded, split or folded into, with repetitions."""
    count = 0
    for uses in book.uses:
        if uses.event.operation == operation:
            keys = uses.made if uses.keys is None else uses.keys
            count += int((keys >= 0).sum()) if keys is not None else 0
    return count


def _notes(book: KeyLedger) -> tuple[Text, ...]:
    if not book.left_out:
        return book.notes
    return (*book.notes, say("{count} draws were counted, but are too many to show.", count=f"{book.left_out:,}"))


# -- keys that the program returned -----------------------------------------------------------


def _in_outputs(book: KeyLedger, outputs: Any) -> Booleans:
    """Return a mask of the keys among `outputs`, typed or raw, bool[keys]."""
    found = np.zeros(book.size, np.bool_)
    returned: dict[int, list[Words]] = {}
    for leaf in leaves(outputs):
        words = _key_words(leaf)
        if words is not None and words.size:
            returned.setdefault(words.shape[-1], []).append(words.reshape(-1, words.shape[-1]))
    for width, parts in returned.items():
        if width <= book.words.shape[1]:
            found |= _among(book.words, np.concatenate(parts))
    return found


def _key_words(leaf: Any) -> Words | None:
    # Not everything with a dtype is an array: the module jax.lax has a function of that name.
    if not isinstance(leaf, jax.Array | np.ndarray) or isinstance(leaf, jax.core.Tracer):
        return None
    if getattr(leaf, "is_fully_addressable", True) is False:
        return None
    if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return np.asarray(jax.random.key_data(leaf))
    return np.asarray(leaf) if leaf.dtype == np.uint32 and leaf.ndim and leaf.shape[-1] in (2, 4) else None


def _among(words: Words, sought: Words) -> Booleans:
    """Return a mask of the rows of `words` that are rows of `sought`; narrower ones are padded on the left."""
    padded = np.pad(sought, ((0, 0), (words.shape[1] - sought.shape[1], 0)))
    kind = np.dtype((np.void, words.dtype.itemsize * words.shape[1]))
    return np.isin(_opaque(words, kind), _opaque(padded, kind))


def _opaque(words: Words, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    if words.shape[1] == 2:
        return np.ascontiguousarray(words).view(np.uint64)[:, 0]
    return np.ascontiguousarray(words).view(kind)[:, 0]
