"""What a person should know about the random keys of their program, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from explorer.messages import ORIGINS, Finding, KeyGraph, Site, Span
from explorer.worker.ledger import Uses
from explorer.worker.lineage import Booleans, Lineage
from explorer.worker.numbering import Integers
from explorer.worker.recorder import Recording
from explorer.worker.sharing import SharedAxis

MAX_KEYS = 1000
"""Keys that one finding names."""
_BATCHED_TOGETHER = ("rbg", "unsafe_rbg")
"""Generators whose draws under vmap do not follow the keys of the examples."""


def find(graph: KeyGraph, recording: Recording, *, shared_on_purpose: bool = False) -> tuple[Finding, ...]:
    """Return the findings of a recording whose `graph` has been made, bugs first.

    They are of this run: a branch that was not taken used no key. With `shared_on_purpose`, sharing and reuse are
    notes; if there is none, a note says that the declaration is not true.
    """
    known = recording.lineage
    if known is None or known.book.size != graph.nodes:
        raise ValueError("find needs the recording that this graph was made of.")
    meant = [*_shared(known), *_reused(known)]
    if shared_on_purpose:
        meant = [msgspec.structs.replace(each, level="note") for each in meant] or [_not_shared()]
    notes = [*_derived_after_draw(known), *_batched_together(known)]
    if recording.error is None:
        # A program that stopped half way had no chance to use them.
        notes += _unused(known)
    return tuple(sorted([*meant, *notes], key=lambda each: each.level != "bug"))


def _not_shared() -> Finding:
    message = "This variant is said to share its noise on purpose, but in this run nothing is shared."
    return Finding("not-shared", "note", message)


# -- one key for several examples -------------------------------------------------------------


def _shared(known: Lineage) -> Iterator[Finding]:
    """Yield a finding for each place that draws once, or the same numbers, for several examples or devices."""
    places: dict[tuple[int, tuple[SharedAxis, ...]], list[int]] = {}
    for number, (uses, draws) in enumerate(zip(known.book.uses, known.draws, strict=True)):
        follows_keys = uses.event.implementation not in _BATCHED_TOGETHER
        if draws.shared and (follows_keys or _is_one_draw(uses, draws.shared[0])):
            places.setdefault((int(known.site_of[number]), draws.shared), []).append(number)
    for (site, shared), numbers in places.items():
        uses = known.book.uses[numbers[0]]
        drawn = [known.draws[number] for number in numbers]
        keys = np.concatenate([each.keys[each.serves > 1] for each in drawn])
        outermost = shared[0]
        yield Finding(
            "shared-noise",
            "bug",
            _sharing_words(known.sites[site], uses, shared),
            spans=_spans(known.sites[site].span, _cause(known, uses, outermost, keys)),
            keys=_few(keys),
            sites=(site,),
            axis=outermost.level,
            examples=outermost.size,
            distinct=outermost.distinct,
            count=sum(len(np.unique(each.moments[each.serves > 1])) for each in drawn),
        )


def _is_one_draw(uses: Uses, shared: SharedAxis) -> bool:
    """Return whether JAX drew once along the axis, because vmap does not map the key there."""
    return shared.level is not None and uses.origin.levels[shared.level].axis is None


def _sharing_words(site: Site, uses: Uses, shared: tuple[SharedAxis, ...]) -> str:
    first = shared[0]
    if first.level is None:
        return (
            f"{first.size} devices share {_keys_in_words(first.distinct)}: {_at(site)} draws the same numbers on "
            "each of them. Split the key, one for each device."
        )
    sizes = " x ".join(str(axis.size) for axis in shared if axis.level is not None)
    whose = f"{sizes} examples share {_keys_in_words(first.distinct)}"
    if first.level > 0:
        whose += f" along axis {first.level} of the batch"
    if _is_one_draw(uses, first):
        return (
            f"{whose}: {_at(site)} draws once and serves them all. vmap does not map the key there; split it, "
            "one key for each example."
        )
    if first.distinct > 1:
        return f"{whose}: {_at(site)} draws equal numbers where the keys are equal. Split one key for each example."
    return f"{whose}: {_at(site)} draws the same numbers for all of them. Split the key, one for each example."


def _keys_in_words(count: int) -> str:
    return "one key" if count == 1 else f"{count} keys"


def _cause(known: Lineage, uses: Uses, shared: SharedAxis, keys: Integers) -> Span | None:
    """Return where the sharing vmap was called, else where the key was made."""
    if shared.level is not None and shared.level < len(uses.origin.levels):
        call = uses.origin.levels[shared.level].call
        if call is not None:
            return call
    return _made_at(known, int(keys[0])) if len(keys) else None


def _made_at(known: Lineage, key: int) -> Span | None:
    site = int(known.site_of[known.family.use[key]])
    return known.sites[site].span if site >= 0 else None


# -- one key used several times ---------------------------------------------------------------


def _reused(known: Lineage) -> Iterator[Finding]:
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
    inside_jax = np.array([bool(uses.origin.inside) and not uses.origin.library for uses in known.book.uses] + [False])
    too_often &= ~follows & ~inside_jax[known.family.use]
    yield from _grouped(known, too_often)


def _grouped(known: Lineage, reused: Booleans) -> Iterator[Finding]:
    rows = np.flatnonzero(reused[known.consumed.keys])
    keys = known.consumed.keys[rows]
    order = np.argsort(keys, kind="stable")
    keys, use = keys[order], known.consumed.use[rows][order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else keys
    of_key = keys[starts]
    first_sites = known.site_of[use[starts]].astype(np.int64)
    second_sites = known.site_of[use[starts + known.allowed[of_key]]]
    pairs = first_sites * len(known.sites) + second_sites
    _, examples = np.unique(pairs, return_index=True)
    for example in np.sort(examples):
        chosen = of_key[pairs == pairs[example]]
        pair = int(first_sites[example]), int(second_sites[example])
        first, second = (known.sites[site] for site in pair)
        # Made once, by a library for itself, and used twice there: nothing that the person could change.
        is_librarys = bool((known.is_internal & (known.family.times == 1))[chosen].all())
        yield Finding(
            "key-reuse",
            "note" if is_librarys else "bug",
            _reuse_words(known, first, second, chosen),
            spans=_spans(first.span, second.span),
            keys=_few(chosen),
            sites=tuple(dict.fromkeys(pair)),
            count=len(chosen),
        )


def _reuse_words(known: Lineage, first: Site, second: Site, keys: Integers) -> str:
    times = int(known.times[keys].max())
    subject = "One key is" if len(keys) == 1 else f"{len(keys):,} keys are each"
    if first == second:
        return (
            f"{subject} used {times:,} times by {_at(first)}, with the same numbers each time. {_remedy(known, keys)}"
        )
    more = f", {times:,} times in all" if times > 2 else ""
    both = f"by {_at(first)} and {_at(second)}"
    if _line(first) == _line(second):
        both = f"by {_at(first)}, called twice there"
    # A sampler that splits the key it was given draws, as far as the person is concerned.
    kinds = {"draw" if site.inside else site.operation for site in (first, second)}
    if kinds == {"draw"}:
        what, why = "drawn from", "Their numbers are related."
    elif kinds == {"split"}:
        what, why = "split", "The children are the same keys."
    else:
        what, why = "used", "The numbers drawn follow from the same key as the children."
    return f"{subject} {what} more than once, {both}{more}. {why} {_remedy(known, keys)}"


def _line(site: Site) -> tuple[str, str, int]:
    """Return what is called there, the file and the line."""
    return _called(site), *((site.span.file, site.span.line) if site.span else ("", 0))


def _remedy(known: Lineage, keys: Integers) -> str:
    key = int(keys[0])
    label = int(known.family.label[key])
    makers = [uses.event.operation for uses in known.book.uses if uses.made is not None and (uses.made == key).any()]
    if known.is_internal[key] and known.family.times[key] == 1:
        return "A library does this with a key of its own."
    if known.family.times[key] == 1 or not makers:
        return "Split it, one key for each use."
    if set(makers) == {"seed"}:
        return f"It is made more than once, from the seed {label}."
    if set(makers) == {"fold_in"}:
        return f"fold_in makes it more than once, from the same data {label}."
    if set(makers) == {"fold_in", "split"}:
        return f"Both fold_in and split make it: child {label} of a split is what fold_in makes with {label}."
    return "It is made more than once, of the same key."


def _derived_after_draw(known: Lineage) -> Iterator[Finding]:
    """Yield a note for each pair of places where one draws with a key that the other folds data into."""
    folds = [
        (number, uses)
        for number, uses in enumerate(known.book.uses)
        if uses.event.operation == "fold_in" and not uses.again and not uses.origin.inside
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
            subject = "One key is" if len(chosen) == 1 else f"{len(chosen):,} keys are"
            message = (
                f"{subject} drawn from by {_at(drawn)} and given to {_at(folded)} to make more keys. JAX allows it, "
                "but numbers and keys then come from the same place; split first to be safe."
            )
            spans = _spans(drawn.span, folded.span)
            places = (int(site), int(known.site_of[number]))
            yield Finding("key-reuse", "note", message, spans, _few(chosen), places, count=len(chosen))


# -- keys that nothing used, and keys that do not tell ----------------------------------------


def _unused(known: Lineage) -> Iterator[Finding]:
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
        subject = "One key" if len(chosen) == 1 else f"{len(chosen):,} keys"
        message = f"{subject} made by {_at(place)} {'is' if len(chosen) == 1 else 'are'} never used."
        yield Finding("unused-key", "note", message, _spans(place.span), _few(chosen), (int(site),), count=len(chosen))


def _batched_together(known: Lineage) -> Iterator[Finding]:
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
        message = (
            f"{_at(place)} draws for a batch with keys of kind {kind}. JAX then draws for all examples "
            "at once, so the numbers of an example are not those that its own key gives alone."
        )
        yield Finding("rbg-batched", "note", message, _spans(place.span), _few(known.draws[number].keys), (site,))


# -- words and places -------------------------------------------------------------------------


def _at(site: Site) -> str:
    return f"`{_called(site)}` on line {site.span.line}" if site.span else f"`{_called(site)}`"


def _called(site: Site) -> str:
    """Return the name of the function that the person called there."""
    return site.inside or site.name


def _spans(*spans: Span | None) -> tuple[Span, ...]:
    return tuple(span for span in spans if span is not None)


def _few(keys: Integers) -> tuple[int, ...]:
    return tuple(np.unique(keys)[:MAX_KEYS].tolist())
