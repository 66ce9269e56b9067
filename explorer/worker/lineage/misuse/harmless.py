"""The lineage without harmless uses of keys, such as library constants or shuffling in step; or with them allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from explorer.figures.equal_rows import Integers
from explorer.figures.key_tally import ends_of
from explorer.messages import Span
from explorer.worker.lineage.call_sites import CallSite
from explorer.worker.lineage.key_uses import KeyOperation
from explorer.worker.lineage.lineage import Booleans, Lineage, OrderedUses

_NAMES_A_SEED = re.compile(r"seed|rng|key|random", re.IGNORECASE)


def names_a_seed(site: CallSite) -> bool:
    """Return whether the call of a library names a seed or a key, as in ``nnx.Rngs(0)``."""
    return bool(_NAMES_A_SEED.search(site.written))


def without_harmless(known: Lineage) -> Lineage:
    """Return `known` without uses of libraries' constant keys, their splits that lead to no draw, and unread uses.

    Nor does it have permutations that bring another array into the order of a first one, and draws of which only one is
    taken.

    A constant key is made by a library from a constant, in the same call or at import. The constant belongs to the
    library if the call in user code names no seed and no key.
    """
    if not (known.times > known.allowed).any():
        return known
    harmless = [*_of_constants(known), *_fruitless(known), *_in_step(known), *_dropped(known)]
    harmless += [number for number, uses in enumerate(known.book.uses) if uses.event.unread]
    harmless += [number for numbers in _alternatives(known) for number in numbers[1:]]
    if not harmless:
        return known
    is_other = ~np.isin(known.consumed.use, harmless)
    consumed = OrderedUses(
        known.consumed.keys[is_other], known.consumed.use[is_other], known.consumed.moments[is_other]
    )
    times = np.bincount(consumed.keys, minlength=known.book.size).astype(np.int32)
    return replace(known, consumed=consumed, times=times)


def harmless_allowed(known: Lineage) -> Lineage:
    """Return `known` with harmless uses allowed.

    The allowance of each key is its number of uses if only harmless uses exceed it, and draws with a library's constant
    are not shared, as they are not reused.
    """
    if any(draws.shared for draws in known.draws):
        draws = list(known.draws)
        for number in _of_constants(known):
            draws[number] = replace(draws[number], serves=np.ones_like(draws[number].serves), shared=())
        known = replace(known, draws=draws)
    without = without_harmless(known)
    if without is known:
        return known
    harmless = (known.times > known.allowed) & (without.times <= known.allowed)
    return replace(known, allowed=np.where(harmless, known.times, known.allowed))


def does_harm(known: Lineage, keys: Integers, but: frozenset[int]) -> bool:
    """Return whether any of `keys` is still used too often without the uses in `but`."""
    here = np.isin(known.consumed.keys, keys) & ~np.isin(known.consumed.use, list(but))
    times = np.bincount(known.consumed.keys[here], minlength=known.book.size)
    return bool((times > known.allowed)[keys].any())


def _alternatives(known: Lineage) -> Iterator[list[int]]:
    """Yield the draws of which a call takes one for each element, if all have the same keys."""
    by_call: dict[object, list[int]] = {}
    for number, uses in enumerate(known.book.uses):
        if (call := uses.call_site.chosen) is not None:
            by_call.setdefault((call, uses.call_site.path[:-1]), []).append(number)
    for numbers in by_call.values():
        draws = [known.book.uses[number] for number in numbers]
        drawn = {(np.sort(uses.spent).tobytes(), uses.event.shape) for uses in draws}
        if len(numbers) > 1 and len(drawn) == 1 and draws[0].all_different:
            yield numbers


def _dropped(known: Lineage) -> Iterator[int]:
    """Yield the uses inside each call whose result nothing takes, such as a warm-up, if it uses no key too often."""
    for call in known.book.call_roles.get("dropped", ()):
        inside = [number for number, uses in enumerate(known.book.uses) if call in uses.call_site.path[:-1]]
        keys = known.consumed.keys[np.isin(known.consumed.use, inside)]
        if (np.bincount(keys, minlength=known.book.size) <= known.allowed).all():
            yield from inside


def _of_constants(known: Lineage) -> Iterator[int]:
    """Yield the indices of uses of keys that a library makes from a constant."""
    seeds = [each.call_site for each in known.book.uses if each.event.operation == "seed"]
    seeds = [each for each in seeds if each.library and not each.own]
    # Where the call cannot be read, the seed may be the user's.
    seeded = {site.path for site in seeds if site.written and not names_a_seed(site)}
    imported = np.array([*(uses.call_site.imports for uses in known.book.uses), False])
    of_import = imported[known.family.use[_roots(known)]] if imported.any() else None
    for number, uses in enumerate(known.book.uses):
        if uses.call_site.library and (
            uses.call_site.path in seeded
            or (of_import is not None and len(uses.spent) > 0 and of_import[uses.spent].all())
        ):
            yield number
    if of_import is not None:
        yield from _of_defaults(known, imported)


def _of_defaults(known: Lineage, imported: Booleans) -> Iterator[int]:
    """Yield the indices of uses of a library's default key whose seed the program happens to use, too.

    It is the default if the call in user code names no key, or hands over another one.
    """
    is_default = np.zeros(known.book.size, np.bool_)
    for uses in known.book.uses:
        if uses.call_site.imports:
            is_default[_made(uses)] = True
    is_default &= ~imported[known.family.use]
    if not is_default.any():
        return
    by_call: dict[tuple[Span, ...], list[KeyOperation]] = {}
    for uses in known.book.uses:
        by_call.setdefault(uses.call_site.path, []).append(uses)
    for number, uses in enumerate(known.book.uses):
        site = uses.call_site
        if not (site.library and len(uses.spent) and is_default[uses.spent].all()):
            continue
        made = [_made(each) for each in by_call[site.path]]
        others = np.concatenate([each.spent for each in by_call[site.path]])
        handed_over = others[~(is_default[others] | np.isin(others, np.concatenate(made)))]
        if len(handed_over) or not names_a_seed(site):
            yield number


def _fruitless(known: Lineage) -> Iterator[int]:
    """Yield the indices of splits in libraries whose descendants are neither drawn from nor returned."""
    too_often = known.times > known.allowed
    for number, uses in enumerate(known.book.uses):
        is_split = uses.call_site.library and uses.event.operation == "split"
        if is_split and too_often[uses.spent].any() and not bears_fruit(known, number):
            yield number


def _in_step(known: Lineage) -> Iterator[int]:
    """Yield the indices of permutations that put another array of as many rows into the order of a first one."""
    places: dict[Span | None, list[int]] = {}
    for number, uses in enumerate(known.book.uses):
        if uses.call_site.permuted:
            places.setdefault(uses.call_site.span, []).append(number)
    seen: dict[object, set[str]] = {}
    for numbers in places.values():
        here = [known.book.uses[number] for number in numbers]
        splits = [each.spent for each in here if each.event.operation == "split"]
        keys = np.sort(np.concatenate([*splits, np.zeros(0, np.int32)]))
        shapes = {each.event.shape for each in here if each.event.operation == "draw"}
        ordered = here[0].call_site.permuted
        before = seen.setdefault((keys.tobytes(), *shapes), set())
        if before and ordered not in before and len(np.unique(keys)) == len(keys):
            yield from numbers
        before.add(ordered)


def _roots(known: Lineage) -> Integers:
    """Return the root ancestor of each key, int[keys]."""
    return ends_of(_parents(known))


def _parents(known: Lineage) -> Integers:
    """Return the parent of each key, int[keys]; a root is its own."""
    parent = known.family.parent
    return np.where(parent < 0, np.arange(len(parent)), parent)


def bears_fruit(known: Lineage, number: int) -> bool:
    """Return whether a descendant of split `number` is returned, or drawn from before the key is made again."""
    uses = known.book.uses
    children = np.unique(_made(uses[number]))
    begin = int(uses[number].moments.min())
    anew = (
        int(each.moments.min()) for each in uses if each is not uses[number] and np.isin(_made(each), children).any()
    )
    end = min((moment for moment in anew if moment > begin), default=np.inf)
    fruit = known.in_outputs.copy()
    for draws in known.draws:
        fruit[draws.keys[(draws.moments >= begin) & (draws.moments < end)]] = True
    return bool(fruit[children].any() or (descendants(known, children) & fruit).any())


def descendants(known: Lineage, keys: Integers) -> Booleans:
    """Return a mask of `keys` and of all keys that derive from them, bool[keys]."""
    descends = np.zeros(known.book.size, np.bool_)
    descends[keys] = True
    # Twice as many generations at a time: a chain of keys is as long as the training.
    above = _parents(known)
    while True:
        descends |= descends[above]
        if np.array_equal(further := above[above], above):
            return descends
        above = further


def _made(uses: KeyOperation) -> Integers:
    """Return the keys that `uses` made."""
    if uses.made is None:
        return np.zeros(0, np.int32)
    return uses.made.reshape(-1) if uses.valid is None else uses.made[uses.made >= 0]
