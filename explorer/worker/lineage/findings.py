"""What a person should know about the random keys of their program, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.messages import LEVELS, ORIGINS, Finding, Site, Span
from explorer.worker.lineage.key_uses import Uses
from explorer.worker.lineage.lineage import Booleans, Lineage
from explorer.worker.lineage.sharing import SharedAxis
from explorer.worker.lineage.site_words import Places
from explorer.worker.spoken.say import say

MAX_KEYS = 1000
"""Keys that one finding names."""
MAX_PLACES = 4
"""Places that one finding names."""
_BATCHED_TOGETHER = ("rbg", "unsafe_rbg")
"""Generators whose draws under vmap do not follow the keys of the examples."""


def find(known: Lineage, *, to_its_end: bool = True, shared_on_purpose: bool = False) -> tuple[Finding, ...]:
    """Return the findings of a run whose keys are `known`, bugs first.

    They are of this run: a branch that was not taken used no key, and a program that did not run `to_its_end` had no
    chance to use them all. With `shared_on_purpose`, sharing and reuse are notes; if there is none, a note says that
    the declaration is not true.
    """
    at = Places(known.sites)
    told = _Advice(on_purpose=shared_on_purpose)
    meant = [*_shared(known, at, told), *_reused(known, at, told)]
    if shared_on_purpose:
        meant = [msgspec.structs.replace(each, level="note", on_purpose=True) for each in meant] or [_not_shared()]
    notes = [*_derived_after_draw(known, at), *_batched_together(known, at)]
    if to_its_end:
        notes += _unused(known, at)
    return tuple(sorted([*meant, *notes], key=lambda each: LEVELS.index(each.level)))


class _Advice(NamedTuple):
    """What a finding ends with: what to do, unless the person has said that it is meant."""

    on_purpose: bool

    def __call__(self, remedy: str) -> str:
        return say("That is said to be on purpose.") if self.on_purpose else remedy


def _not_shared() -> Finding:
    message = say("This variant is said to share its noise on purpose, but in this run nothing is shared.")
    return Finding("not-shared", "note", message)


# -- one key for several examples -------------------------------------------------------------


def _shared(known: Lineage, at: Places, told: _Advice) -> Iterator[Finding]:
    """Yield a finding for each place that draws once, or the same numbers, for several examples or devices."""
    places: dict[object, list[int]] = {}
    for number, (uses, draws) in enumerate(zip(known.book.uses, known.draws, strict=True)):
        follows_keys = uses.event.implementation not in _BATCHED_TOGETHER
        if draws.shared and (follows_keys or _is_one_draw(uses, draws.shared[0])):
            site = known.sites[known.site_of[number]]
            # One call of a library may draw several times.
            places.setdefault((site.inside or site.name, site.span or site, draws.shared), []).append(number)
    for numbers in places.values():
        uses = known.book.uses[numbers[0]]
        drawn = [known.draws[number] for number in numbers]
        sites = tuple(dict.fromkeys(known.site_of[numbers].tolist()))
        site, shared = known.sites[sites[0]], drawn[0].shared
        keys = np.concatenate([each.keys[each.serves > 1] for each in drawn])
        outermost = shared[0]
        yield Finding(
            "shared-noise",
            "bug",
            _sharing_words(at(site), uses, shared, told),
            spans=_spans(site.span, _cause(known, uses, outermost, keys)),
            keys=_few(keys),
            sites=sites,
            axis=outermost.level,
            examples=outermost.size,
            distinct=outermost.distinct,
            count=sum(len(np.unique(each.moments[each.serves > 1])) for each in drawn),
        )


def _is_one_draw(uses: Uses, shared: SharedAxis) -> bool:
    """Return whether JAX drew once along the axis, because vmap does not map the key there."""
    return shared.level is not None and uses.call_site.levels[shared.level].axis is None


def _sharing_words(place: str, uses: Uses, shared: tuple[SharedAxis, ...], told: _Advice) -> str:
    first = shared[0]
    if first.level is None:
        return say(
            "{count} devices share {keys}: {place} draws the same numbers on each of them. {advice}",
            count=first.size,
            keys=_keys_in_words(first.distinct),
            place=place,
            advice=told(say("Split the key, one for each device.")),
        )
    sizes = " x ".join(str(axis.size) for axis in shared if axis.level is not None)
    whose = say("{sizes} examples share {keys}", sizes=sizes, keys=_keys_in_words(first.distinct))
    if first.level > 0:
        whose = say("{whose} along axis {axis} of the batch", whose=whose, axis=first.level)
    if _is_one_draw(uses, first):
        return say(
            "{whose}: {place} draws once and serves them all. {advice}",
            whose=whose,
            place=place,
            advice=told(say("vmap does not map the key there; split it, one key for each example.")),
        )
    if first.distinct > 1:
        return say(
            "{whose}: {place} draws equal numbers where the keys are equal. {advice}",
            whose=whose,
            place=place,
            advice=told(say("Split one key for each example.")),
        )
    return say(
        "{whose}: {place} draws the same numbers for all of them. {advice}",
        whose=whose,
        place=place,
        advice=told(say("Split the key, one for each example.")),
    )


def _keys_in_words(count: int) -> str:
    return say("one key") if count == 1 else say("{count} keys", count=count)


def _cause(known: Lineage, uses: Uses, shared: SharedAxis, keys: Integers) -> Span | None:
    """Return where the sharing vmap was called, else where the key was made."""
    if shared.level is not None and shared.level < len(uses.call_site.levels):
        call = uses.call_site.levels[shared.level].call
        if call is not None:
            return call
    return _made_at(known, int(keys[0])) if len(keys) else None


def _made_at(known: Lineage, key: int) -> Span | None:
    site = int(known.site_of[known.family.use[key]])
    return known.sites[site].span if site >= 0 else None


# -- one key used several times ---------------------------------------------------------------


def _reused(known: Lineage, at: Places, told: _Advice) -> Iterator[Finding]:
    """Yield a finding for each pair of places that consume the same keys."""
    too_often = known.times > known.allowed
    if not too_often.any():
        return
    by_split_alone = np.ones(known.book.size, np.bool_)
    for uses in known.book.uses:
        if uses.made is not None and uses.event.operation != "split":
            by_split_alone[uses.made[uses.made >= 0]] = False
    # Splitting one key twice makes the same children twice: the parent says it all.
    follows = by_split_alone & (known.family.times > 1) & too_often[known.family.parent]
    inside_jax = np.array(
        [bool(uses.call_site.inside) and not uses.call_site.library for uses in known.book.uses] + [False]
    )
    too_often &= ~follows & ~inside_jax[known.family.use]
    for group in _grouped(known, too_often):
        sites = [known.sites[site] for site in group.sites]
        # Made once, by a library for itself, and used twice there: nothing that the person could change.
        is_librarys = bool((known.is_internal & (known.family.times == 1))[group.keys].all())
        marked = sites[:MAX_PLACES] if len(sites) > 1 else sites * 2
        yield Finding(
            "key-reuse",
            "note" if is_librarys else "bug",
            _reuse_words(known, sites, group.keys, at, told),
            spans=_spans(*(site.span for site in marked)),
            keys=_few(group.keys),
            sites=group.sites[:MAX_PLACES],
            count=len(group.keys),
        )


class _Group(NamedTuple):
    """Keys that are used too often, first and then for the first time too often at the same two places."""

    keys: Integers
    sites: tuple[int, ...]
    """All that use any of them: those two, then the others in the order of the run."""


def _grouped(known: Lineage, reused: Booleans) -> Iterator[_Group]:
    """Yield the `reused` keys by the places that use them, in the order of the run."""
    rows = np.flatnonzero(reused[known.consumed.keys])
    keys = known.consumed.keys[rows]
    order = np.argsort(keys, kind="stable")
    keys, sites = keys[order], known.site_of[known.consumed.use[rows][order]].astype(np.int64)
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else keys
    of_key = keys[starts]
    first, second = sites[starts], sites[starts + known.allowed[of_key]]
    _, examples, group = np.unique(first * len(known.sites) + second, return_index=True, return_inverse=True)
    keys_of = _parted(of_key, group, len(examples))
    sites_of = _parted(sites, np.repeat(group, np.diff(starts, append=len(keys))), len(examples))
    for number in np.argsort(examples):
        example = examples[number]
        _, seen = np.unique(sites_of[number], return_index=True)
        others = sites_of[number][np.sort(seen)].tolist()
        pair = int(first[example]), int(second[example])
        yield _Group(keys_of[number], tuple(dict.fromkeys([*pair, *others])))


def _parted(values: Integers, group: Integers, groups: int) -> list[Integers]:
    """Return the `values` of each group, in their order."""
    order = np.argsort(group, kind="stable")
    return np.split(values[order], np.searchsorted(group[order], np.arange(1, groups)))


def _reuse_words(known: Lineage, sites: Sequence[Site], keys: Integers, at: Places, told: _Advice) -> str:
    times = int(known.times[keys].max())
    subject = say("One key is") if len(keys) == 1 else say("{count} keys are each", count=f"{len(keys):,}")
    if len(sites) == 1:
        return say(
            "{subject} used {times} times by {place}, with the same numbers each time. {remedy}",
            subject=subject,
            times=f"{times:,}",
            place=at(sites[0]),
            remedy=told(_remedy(known, keys)),
        )
    lines = dict.fromkeys(at(site) for site in sites)
    by = _listed(list(lines))
    parts = {"by": by, "times": f"{times:,}"}
    if len(lines) == 1:
        by = say("{by}, called twice there", by=by) if times == 2 else say("{by}, called {times} times there", **parts)
    elif times > len(sites):
        by = say("{by}, {times} times in all", **parts)
    # A sampler that splits the key it was given draws, as far as the person is concerned.
    kinds = {"draw" if site.inside else site.operation for site in sites}
    if kinds == {"draw"}:
        what, why = say("drawn from"), say("Their numbers are related.")
    elif kinds == {"split"}:
        what, why = say("split"), say("The children are the same keys.")
    else:
        what, why = say("used"), say("The numbers drawn follow from the same key as the children.")
    return say(
        "{subject} {what} more than once, by {by}. {why} {remedy}",
        subject=subject,
        what=what,
        by=by,
        why=why,
        remedy=told(_remedy(known, keys)),
    )


def _listed(places: Sequence[str]) -> str:
    """Return the first of `places` and the number of the others, as a list in words."""
    named, others = list(places[:MAX_PLACES]), len(places) - MAX_PLACES
    if others > 0:
        more = say("1 other place") if others == 1 else say("{count} other places", count=f"{others:,}")
        named.append(more)
    return say("{some} and {last}", some=", ".join(named[:-1]), last=named[-1]) if len(named) > 1 else named[0]


def _remedy(known: Lineage, keys: Integers) -> str:
    """Return what to do about `keys`, which are all used and made like the first of them."""
    key, one = int(keys[0]), len(keys) == 1
    label = int(known.family.label[key])
    makers = [uses.event.operation for uses in known.book.uses if uses.made is not None and (uses.made == key).any()]
    if known.is_internal[key] and known.family.times[key] == 1:
        return say("A library does this with a key of its own.")
    if known.family.times[key] == 1 or not makers or _is_reused_as_made(known, key):
        return say("Split it, one key for each use." if one else "Split each of them, one key for each use.")
    if set(makers) == {"seed"}:
        return say(
            "It is made more than once, from the seed {label}. Make it once and split it, one key for each use."
            if one
            else "They are made more than once, from the same seeds. Make each once and split it for each use.",
            label=label,
        )
    if set(makers) == {"fold_in"}:
        return say(
            "fold_in makes it more than once, from the same data {label}. Fold in other data each time, or split it."
            if one
            else "fold_in makes them more than once, from the same data. Fold in other data each time, or split.",
            label=label,
        )
    if set(makers) == {"fold_in", "split"}:
        return say(
            "Both fold_in and split make it: child {label} of a split is what fold_in makes with {label}. Use one of "
            "them only, or start from another seed.",
            label=label,
        )
    return say("It is made more than once, of the same key. Make it once and split it, one key for each use.")


def _is_reused_as_made(known: Lineage, key: int) -> bool:
    """Return whether `key` was used too often before it was made a second time."""
    made, used = [], []
    for uses in known.book.uses:
        if uses.made is not None:
            made.append(uses.moments[np.nonzero(uses.made == key)[0]])
        if uses.event.operation in ("draw", "split") and uses.keys is not None and not uses.again:
            used.append(uses.moments[np.nonzero(uses.keys == key)[0]])
    makings, consumptions = (np.unique(np.concatenate(moments)) for moments in (made, used))
    allowed = int(known.allowed[key])
    return len(consumptions) > allowed and (len(makings) < 2 or bool(consumptions[allowed] < makings[1]))


def _derived_after_draw(known: Lineage, at: Places) -> Iterator[Finding]:
    """Yield a note for each pair of places where one draws with a key that the other folds data into."""
    folds = [
        (number, uses)
        for number, uses in enumerate(known.book.uses)
        if uses.event.operation == "fold_in" and not uses.again and not uses.call_site.inside
    ]
    if not folds:
        return
    draw_site = np.full(known.book.size, -1)
    for number, draws in enumerate(known.draws):
        draw_site[draws.keys] = known.site_of[number]
    for number, uses in folds:
        assert uses.keys is not None
        keys = np.unique(uses.keys[uses.keys >= 0])
        keys = keys[draw_site[keys] >= 0]
        for site in dict.fromkeys(draw_site[keys].tolist()):
            chosen = keys[draw_site[keys] == site]
            drawn, folded = known.sites[site], known.sites[known.site_of[number]]
            count = f"{len(chosen):,}"
            subject = say("One key is") if len(chosen) == 1 else say("{count} keys are", count=count)
            message = say(
                "{subject} drawn from by {drawn} and given to {folded} to make more keys. JAX allows it, but numbers "
                "and keys then come from the same place; split first to be safe.",
                subject=subject,
                drawn=at(drawn),
                folded=at(folded),
            )
            spans = _spans(drawn.span, folded.span)
            places = (int(site), int(known.site_of[number]))
            yield Finding("key-reuse", "note", message, spans, _few(chosen), places, count=len(chosen))


# -- keys that nothing used, and keys that do not tell ----------------------------------------


def _unused(known: Lineage, at: Places) -> Iterator[Finding]:
    """Yield a note for each split whose children are not all used."""
    split = ORIGINS.index("split")
    unused = (known.family.origin == split) & ~(known.is_operand | known.in_outputs | known.is_internal)
    keys = np.flatnonzero(unused)
    sites = known.site_of[known.family.use[keys]]
    for site in np.unique(sites):
        chosen = keys[sites == site]
        if not known.family.label[chosen].any():
            # First children only: the keys that would be carried on, had the program gone on.
            continue
        place = known.sites[site]
        if len(chosen) == 1:
            message = say("One key made by {place} is never used.", place=at(place))
        else:
            message = say("{count} keys made by {place} are never used.", count=f"{len(chosen):,}", place=at(place))
        yield Finding("unused-key", "note", message, _spans(place.span), _few(chosen), (int(site),), count=len(chosen))


def _batched_together(known: Lineage, at: Places) -> Iterator[Finding]:
    """Yield a note for each place that draws for a batch with a generator that does not keep examples apart."""
    seen: set[int] = set()
    for number, uses in enumerate(known.book.uses):
        site = int(known.site_of[number])
        mapped = any(lane.level is not None and lane.size > 1 for lane in uses.lanes)
        kind = uses.event.implementation
        if uses.event.operation != "draw" or kind not in _BATCHED_TOGETHER or not mapped or site in seen:
            continue
        seen.add(site)
        place = known.sites[site]
        message = say(
            "{place} draws for a batch with keys of kind {kind}. JAX then draws for all examples at once, so the "
            "numbers of an example are not those that its own key gives alone.",
            place=at(place),
            kind=kind,
        )
        yield Finding("rbg-batched", "note", message, _spans(place.span), _few(known.draws[number].keys), (site,))


# -- places and keys --------------------------------------------------------------------------


def _spans(*spans: Span | None) -> tuple[Span, ...]:
    return tuple(span for span in spans if span is not None)


def _few(keys: Integers) -> tuple[int, ...]:
    return tuple(np.unique(keys)[:MAX_KEYS].tolist())
