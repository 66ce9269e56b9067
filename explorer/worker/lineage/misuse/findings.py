"""All findings on a run's random keys, equal ones merged; those on unused and batched rbg keys are made here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from explorer.diagnostics.registry import lesson_of
from explorer.figures.equal_rows import Integers
from explorer.messages import LEVELS, ORIGINS, Finding, Span
from explorer.text.text import Text, say
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse.key_reuse import reused
from explorer.worker.lineage.misuse.on_purpose import IntendedReuse, OfTests
from explorer.worker.lineage.misuse.shared_noise import shared
from explorer.worker.lineage.misuse.site_description import PlaceDescriber, sample_keys, sample_places
from explorer.worker.lineage.sharing import BATCHED_TOGETHER


def find(
    known: Lineage, *, to_its_end: bool = True, shared_on_purpose: bool = False, is_test: OfTests | None = None
) -> tuple[Finding, ...]:
    """Return the findings of a run whose keys are `known`, bugs first.

    They hold for this run only: a branch that was not taken used no key, and a program that did not run `to_its_end`
    had no chance to use every key. Sharing or reuse that a comment marks as intended is a note; `shared_on_purpose`
    makes a note of all of it. A mark on a line without any is a note, too. In files selected by `is_test`, reuse of a
    key from a literal seed is a warning.
    """
    paths = {span for uses in known.book.uses for span in uses.call_site.path}
    at = PlaceDescriber([site.span for site in known.sites] + list(paths))
    meant = IntendedReuse(known.book, declared=shared_on_purpose)
    sharing = list(shared(known, at, meant))
    anew = [inside for _, inside in sharing if inside]
    reuse = [
        each
        for each in reused(known, at, meant, anew, is_test=is_test)
        if not any(_is_passed_there(each, other) for other, _ in sharing)
    ]
    found = _each_once([*(each for each, _ in sharing), *reuse])
    if shared_on_purpose:
        found = [msgspec.structs.replace(each, level="note", on_purpose=True) for each in found] or [_not_shared()]
    notes = list(_batched_together(known, at))
    if to_its_end:
        notes += [*_unused(known, at, _used_again(found)), *meant.in_vain(at)]
    return tuple(sorted([*found, *notes], key=lambda each: LEVELS.index(each.level)))


def _is_passed_there(reuse: Finding, sharing: Finding) -> bool:
    """Return whether the call that shares keys also passes them on again, as `lax.map` does in batches."""
    passed, calls = _spans_of(reuse, "passed"), _spans_of(sharing, "shared")
    inside = all(any(call.line <= each.line <= call.end_line for call in calls) for each in passed)
    return bool(passed) and inside and _spans_of(reuse, "spent") == _spans_of(sharing, "spent")


def _spans_of(finding: Finding, role: str) -> list[Span]:
    return [place.span for place in finding.places if place.role == role]


def _summary(finding: Finding) -> tuple[str, str, Text]:
    """Return the identity of a finding: its kind, its level, its message as a template with facts."""
    return finding.kind, finding.level, finding.message


def _each_once(found: Iterable[Finding]) -> list[Finding]:
    """Return the findings, equal ones merged."""
    by_message: dict[tuple[str, str, Text], Finding] = {}
    for each in found:
        if (before := by_message.get(_summary(each))) is None:
            by_message[_summary(each)] = each
            continue
        by_message[_summary(each)] = msgspec.structs.replace(
            before,
            spans=tuple(dict.fromkeys([*before.spans, *each.spans])),
            keys=sample_keys(np.array([*before.keys, *each.keys])),
            sites=tuple(dict.fromkeys([*before.sites, *each.sites])),
            places=sample_places(tuple(dict.fromkeys([*before.places, *each.places]))),
            count=before.count + each.count,
        )
    return list(by_message.values())


def _not_shared() -> Finding:
    message = say("The lesson says that this variant shares its noise on purpose, but in this run nothing is shared.")
    return Finding("not-shared", "note", message, lesson=lesson_of("not-shared"))


# -- unused keys, and generators that are not independent per example --------------------------


def _used_again(found: Iterable[Finding]) -> Integers:
    """Return the keys that are reused and not marked as intended, int[n]."""
    return np.array(
        [key for each in found if (each.kind, each.level) == ("key-reuse", "bug") for key in each.keys], int
    )


def _unused(known: Lineage, at: PlaceDescriber, used_again: Integers) -> Iterator[Finding]:
    """Yield a note for each split with unused children; it says so if a reused sibling has a finding of its own."""
    split = ORIGINS.index("split")
    unused = (known.family.origin == split) & ~(known.is_operand | known.in_outputs | known.is_internal)
    keys = np.flatnonzero(unused)
    for number, uses in enumerate(known.book.uses):
        if ignored := uses.call_site.ignored:
            keys = keys[(known.family.use[keys] != number) | ~np.isin(known.family.label[keys], list(ignored))]
    sites = known.site_of[known.family.use[keys]]
    instead = used_again[known.family.origin[used_again] == split]
    first = (known.family.origin == split) & (known.family.label == 0) & known.is_operand
    carried_on = set(known.site_of[known.family.use[np.flatnonzero(first)]].tolist())
    was_due = np.isin(known.family.parent[keys], known.family.parent[instead])
    for site in np.unique(sites).tolist():
        due = bool(was_due[sites == site].any())
        chosen = keys[(sites == site) & (was_due == due)]
        if not known.family.label[chosen].any() and (not due or site in carried_on):
            # First children only: the program would carry these on in its next step, as it did in the steps before.
            continue
        place = known.sites[site]
        message = _unused_words(len(chosen), at(place), due=due)
        yield Finding(
            "unused-key",
            "note",
            message,
            _spans(place.span),
            sample_keys(chosen),
            (site,),
            count=len(chosen),
            lesson=lesson_of("unused-key"),
        )


def _unused_words(count: int, place: Text, *, due: bool) -> Text:
    if due:
        return say(
            "One key made by {place} is never used, while another one of that split is used more than once: it was "
            "probably meant for one of these uses."
            if count == 1
            else "{count} keys made by {place} are never used, while another one of that split is used more than once: "
            "one of them was probably meant for that.",
            count=f"{count:,}",
            place=place,
        )
    return say(
        "One key made by {place} is never used." if count == 1 else "{count} keys made by {place} are never used.",
        count=f"{count:,}",
        place=place,
    )


def _batched_together(known: Lineage, at: PlaceDescriber) -> Iterator[Finding]:
    """Yield a note for each batched draw whose generator has no independent stream per example.

    rbg keys under vmap: https://github.com/jax-ml/jax/issues/19085.
    """
    seen: set[int] = set()
    for number, uses in enumerate(known.book.uses):
        site = int(known.site_of[number])
        mapped = any(lane.level is not None and lane.size > 1 for lane in uses.lanes)
        kind = uses.event.implementation
        if uses.event.operation != "draw" or kind not in BATCHED_TOGETHER or not mapped or site in seen:
            continue
        seen.add(site)
        place = known.sites[site]
        message = say(
            "{place} draws for a batch with keys of kind {kind}. JAX then draws for all examples at once, so the "
            "numbers of an example are not those that its own key gives alone.",
            place=at(place),
            kind=kind,
        )
        yield Finding(
            "rbg-batched", "note", message, _spans(place.span), sample_keys(known.draws[number].keys), (site,)
        )


def _spans(*spans: Span | None) -> tuple[Span, ...]:
    return tuple(span for span in spans if span is not None)
