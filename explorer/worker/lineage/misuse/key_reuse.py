"""Findings of key reuse: the message names the uses, the maker, the calls that pass the key on, and the fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from explorer.diagnostics.registry import lesson_of
from explorer.figures.equal_rows import Integers
from explorer.messages import Finding, Level, Place, Site, Span
from explorer.text.text import Text, say, sentences
from explorer.worker.internals.jaxprs import RAW_GENERATOR
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import routes
from explorer.worker.lineage.misuse.harmless import bears_fruit, descendants, does_harm, without_harmless
from explorer.worker.lineage.misuse.on_purpose import IntendedReuse, OfTests, ReusedByTest, ScriptSections
from explorer.worker.lineage.misuse.reuse_causes import ReuseCause, causes
from explorer.worker.lineage.misuse.routes import makers_before
from explorer.worker.lineage.misuse.site_description import (
    MAX_PLACES,
    PlaceDescriber,
    listed,
    sample_keys,
    sample_places,
)

_GENERATORS = {"Rngs", "PRNGSequence"}
"""Classes of Flax and Haiku whose objects give another key each time."""
_FOLLOW = say("the numbers drawn follow from the same key as the children")


def reused(
    known: Lineage,
    at: PlaceDescriber,
    meant: IntendedReuse,
    made_anew: Sequence[frozenset[int]] = (),
    *,
    is_test: OfTests | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each cause of keys that are consumed too often, or drawn from and folded into.

    Keys made again by the uses of one `made_anew` are skipped: another finding covers them. Reuse of a test's own seed
    is a warning.
    """
    known = without_harmless(known)
    is_tests_own = ReusedByTest(known, is_test)
    found = list(_merged(known, causes(known)))
    is_by_sections = ScriptSections(known, found)
    for cause in found:
        if any(_is_of_both(known, cause, inside) for inside in made_anew):
            continue
        places = _places(known, cause)
        numbers = tuple(dict.fromkeys(known.site_of[list(cause.uses)].tolist()))
        sites = [known.sites[number] for number in numbers]
        on_purpose = meant(places)
        own = _own_file(known, cause)
        level: Level = "bug"
        remedy = say("It is marked as on purpose.") if on_purpose else _remedy(known, cause, sites, places, at)
        if on_purpose or (cause.in_one_call and not own):
            level = "note"
        elif is_tests_own(cause.makings, cause.uses, cause.keys, made_again=cause.kind == "made"):
            level = "warning"
        elif _is_split_for_nothing(known, cause):
            level, remedy = "warning", sentences(say("Nothing is drawn from the children."), remedy)
        elif meant.looks_so(places) or is_by_sections(cause) or _looks_meant(known, cause, sites, places):
            excuse = say("If the same numbers are meant, say so: `# jax-explorer: on purpose`.")
            level, remedy = "warning", sentences(remedy, excuse)
        marked = sites[:MAX_PLACES] if len(sites) > 1 else sites * 2
        again, drawn = _drawn_again(known, cause, sites)
        draws = []
        if again:
            draws = [say("{place} draws the same numbers {times} times.", place=at(again), times=f"{drawn:,}")]
            marked, places = [again, again], (*routes.roles("drawn", [again.span]), *places)
        yield Finding(
            "key-reuse",
            level,
            sentences(*draws, _what(known, cause, sites, at), remedy),
            tuple(site.span for site in marked if site.span is not None),
            sample_keys(cause.keys),
            numbers[:MAX_PLACES],
            count=len(cause.keys),
            on_purpose=on_purpose,
            places=sample_places(places),
            lesson=""
            if cause.in_one_call and not own
            else lesson_of("key-reuse", _reason(known, cause, sites, places)),
        )
    yield from _folded_after_draw(known, at, meant, is_tests_own, found)


def _is_of_both(known: Lineage, cause: ReuseCause, inside: frozenset[int]) -> bool:
    """Return whether the reuse is one value made once by the uses `inside` and made, and used once, outside of them."""
    made = [known.book.uses[number].made for number in inside.intersection(cause.makings)]
    times = sum((each == cause.root).reshape(len(each), -1).any(1).sum() for each in made if each is not None)
    return cause.kind == "made" and times == 1 and not does_harm(known, cause.keys, inside)


def _looks_meant(known: Lineage, cause: ReuseCause, sites: Sequence[Site], places: Sequence[Place]) -> bool:
    """Return whether a place uses a key named as fixed, calls make first weights, or the numbers only go into pictures.

    Several trainings may begin with the same weights.
    """
    fixed, start, pictured = (known.book.call_roles.get(each, set()) for each in ("fixed", "start", "pictured"))
    passed, spent = ({place.span for place in places if place.role == role} for role in ("passed", "spent"))
    is_fixed = cause.kind == "used" and len(sites) == 1 and not fixed.isdisjoint(passed | spent)
    return is_fixed or (1 < cause.times <= len(passed) and start >= passed) or pictured >= spent


def _is_split_for_nothing(known: Lineage, cause: ReuseCause) -> bool:
    """Return whether the keys are used once, and else only split into keys that nothing is drawn from."""
    splits = {number for number in cause.uses if known.book.uses[number].event.operation == "split"}
    fruitless = frozenset(number for number in splits if not bears_fruit(known, number))
    return bool(fruitless) and not does_harm(known, cause.keys, fruitless)


def _reason(known: Lineage, cause: ReuseCause, sites: Sequence[Site], places: Sequence[Place]) -> str:
    """Return the reason of the reuse in a word or two, or an empty string."""
    makers = {known.book.uses[number].event.operation for number in cause.makings}
    if cause.kind == "made" and "fold_in" in makers:
        return "made by fold_in"
    if cause.kind == "made" and makers == {"seed"}:
        return "made from seeds"
    if len(sites) == 1:
        return "handed on" if sum(place.role == "passed" for place in places) > 1 else "one place"
    kinds = _kinds(sites)
    if kinds == {"split"}:
        return "split again"
    if "draw" not in kinds:
        return ""
    if len(kinds) > 1:
        return "drawn and split"
    return "several samplers" if len({site.inside or site.name for site in sites}) > 1 else ""


def _loop_inside(known: Lineage, cause: ReuseCause, handed: Sequence[Span]) -> Span | None:
    """Return the loop of JAX inside the one call that the key is passed to, where that call is in no loop."""
    repeated = known.book.call_roles.get("repeated", frozenset())
    if len(handed) != 1 or handed[0] in repeated:
        return None
    path = known.book.uses[cause.example[0][0]].call_site.path
    inside = path[path.index(handed[0]) + 1 : -1] if handed[0] in path else ()
    return next((span for span in inside if span in repeated), None)


def _kinds(sites: Iterable[Site]) -> set[str]:
    """Return the kinds of operations at `sites`; to a user, a sampler that splits its key draws."""
    return {"draw" if site.inside else site.operation for site in sites}


def _merged(known: Lineage, found: Sequence[ReuseCause]) -> Iterable[ReuseCause]:
    """Return the causes, merged where keys were made at the same place and passed on by the same calls.

    Causes inside one call of the same library functions are merged, too.
    """
    by_call: dict[object, ReuseCause] = {}
    for number, each in enumerate(found):
        cause = _raised(known, each)
        handed = _handed_on(known, cause)
        call: object = number
        if cause.in_one_call:
            # No call site offers a fix, so one note covers all of them.
            names = {
                known.sites[known.site_of[use]].inside or known.book.uses[use].call_site.name for use in cause.uses
            }
            call = frozenset(names), bool(known.is_internal[cause.root])
        elif handed and cause.kind != "made":
            call = cause.makings, tuple(handed)
        by_call[call] = by_call[call].joined(cause) if call in by_call else cause
    return by_call.values()


def _raised(known: Lineage, cause: ReuseCause) -> ReuseCause:
    """Return `cause`, raised to the parent key if that is passed to a function that derives the same keys each time."""
    parent = int(known.family.parent[cause.root])
    maker = int(known.family.use[parent])
    operations = {known.book.uses[number].event.operation for number in cause.makings}
    if cause.kind != "made" or parent < 0 or maker < 0 or not operations <= {"fold_in", "split"}:
        return cause
    uses, makings = cause.example
    handed = [routes.passed(_paths(known, [maker]), _paths(known, each)) for each in (makings, uses)]
    if not handed[0] or handed[0] != handed[1]:
        return cause
    return replace(cause, kind="given", root=parent, makings=(maker,), example=(uses, (maker,)))


def _places(known: Lineage, cause: ReuseCause) -> tuple[Place, ...]:
    """Return the places that made, passed and consumed the keys of `cause`, in that order, without repetitions."""
    made, spent = _paths(known, cause.makings), _paths(known, cause.uses)
    spans = (known.book.uses[number].call_site.span for number in cause.uses)
    return (
        *routes.roles("made", routes.made_at(made, spent)),
        *routes.roles("passed", () if _is_default(known, cause) else _handed_on(known, cause)),
        *routes.roles("spent", spans),
    )


def _is_default(known: Lineage, cause: ReuseCause) -> bool:
    """Return whether the keys are made in the line of a `def`, as the default of an argument."""
    made = {known.book.uses[number].call_site.span for number in cause.makings}
    return bool(made) and known.book.call_roles.get("default", frozenset()) >= made


def _handed_on(known: Lineage, cause: ReuseCause) -> list[Span]:
    uses, makings = cause.example
    return routes.passed(_paths(known, makings), _paths(known, uses))


def _paths(known: Lineage, uses: Iterable[int]) -> list[routes.Path]:
    return [path for number in uses if (path := known.book.uses[number].call_site.path)]


# -- the problem -------------------------------------------------------------------------------


def _what(known: Lineage, cause: ReuseCause, sites: Sequence[Site], at: PlaceDescriber) -> Text:
    times, count = cause.times, len(cause.keys)
    subject = say("One key is") if count == 1 else say("{count} keys are each", count=f"{count:,}")
    if len(sites) == 1:
        return say(
            "{subject} split {times} times by {place}, into the same children each time."
            if _kinds(sites) == {"split"}
            else "{subject} used {times} times by {place}, with the same numbers each time.",
            subject=subject,
            times=f"{times:,}",
            place=at(sites[0]),
        )
    lines = dict.fromkeys(at(site) for site in sites)
    by = listed(list(lines))
    parts = {"by": by, "times": f"{times:,}"}
    if len(lines) == 1:
        by = say("{by}, called twice there", by=by) if times == 2 else say("{by}, called {times} times there", **parts)
    elif times > len(sites):
        by = say("{by}, {times} times in all", **parts)
    kinds = _kinds(sites)
    if kinds == {"draw"}:
        what = say("drawn from")
        alike = _draw_alike(known, cause)
        why = say("with the same arguments they return the same numbers" if alike else "their numbers are related")
    elif kinds == {"split"}:
        what, why = say("split"), say("the children are the same keys")
    else:
        what, why = say("used"), _FOLLOW
    return say("{subject} {what} more than once, by {by}: {why}.", subject=subject, what=what, by=by, why=why)


def _draw_alike(known: Lineage, cause: ReuseCause) -> bool:
    """Return whether each of the keys is used by one sampler alone, for the same number of random bits."""
    sites = {use: known.sites[known.site_of[use]] for use in cause.uses}
    events = {use: known.book.uses[use].event for use in cause.uses}
    draw = {use: (site.inside or site.name, events[use].shape, events[use].dtype) for use, site in sites.items()}
    here = np.isin(known.consumed.keys, cause.keys) & np.isin(known.consumed.use, cause.uses)
    rows = zip(known.consumed.keys[here].tolist(), known.consumed.use[here].tolist(), strict=True)
    return len({(key, draw[use]) for key, use in rows}) == len(cause.keys)


def _drawn_again(known: Lineage, cause: ReuseCause, sites: Sequence[Site]) -> tuple[Site | None, int]:
    """Return the place that draws the same numbers most often because of a repeated split, and how often it does."""
    if cause.kind != "used" or _kinds(sites) != {"split"} or cause.times <= max(len(sites), 2):
        return None, 0
    rows = descendants(known, cause.keys)[known.consumed.keys]
    drawn = np.array([uses.event.operation == "draw" for uses in known.book.uses])
    rows &= drawn[known.consumed.use]
    pairs = np.stack([known.consumed.keys[rows], known.site_of[known.consumed.use[rows]]])
    pairs, counts = np.unique(pairs, axis=1, return_counts=True)
    if counts.max(initial=0) <= 2:
        return None, 0
    return known.sites[pairs[1, np.argmax(counts)]], int(counts.max())


# -- the remedy --------------------------------------------------------------------------------


def _remedy(
    known: Lineage, cause: ReuseCause, sites: Sequence[Site], places: Sequence[Place], at: PlaceDescriber
) -> Text:
    """Return the remedy for `cause` in user code."""
    if cause.in_one_call and (own := _own_file(known, cause)):
        return say("Your own {file} does this: split it there, one key for each use.", file=own)
    if cause.in_one_call:
        if known.is_internal[cause.root]:
            return say("A library does this with its own key.")
        return say("A library does this with a key that it receives.")
    handed = [place.span for place in places if place.role == "passed"]
    if _is_default(known, cause):
        return say("It is the default of an argument, made once with the function: pass a key in every call.")
    if cause.kind == "made":
        return _made_again(known, cause, [place.span for place in places if place.role == "made"], at)
    if cause.kind == "given" and (loop := _loop_inside(known, cause, handed)):
        return say(
            "Each iteration of the loop on {line} derives the same keys: give each one a key of its own, or use the "
            "loop of the library, which splits keys: nn.scan, nnx.scan, hk.scan.",
            line=at.line(loop),
        )
    if cause.kind == "given":
        where = say(" on {lines}", lines=at.lines(handed)) if handed else ""
        return say(
            "The cause is a key that is passed on more than once: split that one{where}, one key for each call.",
            where=where,
        )
    if known.book.implementations[known.book.implementation[cause.root]] == RAW_GENERATOR:
        return say("Draw the next numbers from the state that it returns.")
    if handed and len({known.book.uses[number].call_site.path for number in cause.uses}) == 1:
        # Any loop on the way may be what repeats.
        return say(
            "Split the key where it repeats: in a loop around {used}, one key for each iteration, or around the call "
            "on {lines}, one key for each call.",
            used=at.lines([place.span for place in places if place.role == "spent"]),
            lines=at.lines(handed),
        )
    if handed:
        return say("Split the key on {lines}, where it is passed on, one key for each call.", lines=at.lines(handed))
    if _kinds(sites) == {"split"}:
        return say("Split it once, into as many keys as you need; or keep one child: key, sub = jax.random.split(key).")
    return say("Split the key, one key for each use.")


def _own_file(known: Lineage, cause: ReuseCause) -> str:
    """Return the file next to the program that uses the keys too often; empty for a library."""
    return next((own for use in cause.uses if (own := known.book.uses[use].call_site.own)), "")


def _made_again(known: Lineage, cause: ReuseCause, spans: Sequence[Span], at: PlaceDescriber) -> Text:
    """Return the reason why the keys of `cause` are made more than once, and the remedy."""
    makers = [known.book.uses[number] for number in cause.makings]
    operations = {uses.event.operation for uses in makers}
    one, label = len(cause.keys) == 1, int(known.family.label[cause.root])
    if operations == {"seed"}:
        made = _made(spans, one, at)
        counts = any(uses.labels is not None and np.ptp(uses.labels) > 0 for uses in makers)
        if (names := {uses.call_site.inside for uses in makers}) <= _GENERATORS:
            cure = say("make one {name}, and pass it on, as it gives another key each time", name=f"`{min(names)}`")
        elif len(spans) > 1 and counts:
            # Some lines make keys of many seeds, and one of these seeds is that of another line.
            cure = say(
                "make one key from one seed, and fold the changing number into it, as with jax.random.fold_in(key, i)"
            )
        else:
            cure = say(
                "make it once and split it, one key for each use" if one else "make each once and split it for each use"
            )
        return say(
            "{made}, from the seed {label}: {cure}." if one else "{made}, from the same seeds: {cure}.",
            made=made,
            label=label,
            cure=cure,
        )
    if operations == {"fold_in"}:
        return say(
            "fold_in makes the same key more than once, from the same data{label}: fold in other data each time, or "
            "split it.",
            label=f" {label}" if one else "",
        )
    if operations == {"fold_in", "split"}:
        return say(
            "Both fold_in and split make it: child {label} of a split is what fold_in makes with {label}. Use one of "
            "them only, or start from another seed.",
            label=label,
        )
    return say("{made}: use another key each time.", made=_made(spans, one, at))


def _made(spans: Sequence[Span], one: bool, at: PlaceDescriber) -> Text:
    again = say(" more than once") if len({(span.file, span.line) for span in spans}) < 2 else ""
    where = say(" on {lines}", lines=at.lines(spans)) if spans else ""
    return say("It is made{again}{where}" if one else "They are made{again}{where}", again=again, where=where)


# -- drawn from, and passed to fold_in ---------------------------------------------------------


def _folded_after_draw(
    known: Lineage, at: PlaceDescriber, meant: IntendedReuse, is_tests_own: ReusedByTest, reported: Sequence[ReuseCause]
) -> Iterator[Finding]:
    """Yield a finding for each place that draws from keys which user code also folds data into, unless `reported`.

    A key that is drawn from twice needs a split for that reason.
    """
    too_often = np.append(known.times > known.allowed, False)
    for drawn, folds, keys in _drawn_and_folded(known):
        makers, uses = _makers_of(known, keys, drawn), [drawn, *folds]
        is_reported = any(drawn in cause.uses and np.isin(keys, cause.keys).all() for cause in reported)
        if is_reported or (
            too_often[known.family.parent[keys]].all()
            and not any(set(makers).intersection(_makers_of(known, keys, fold)) for fold in folds)
        ):
            # Children of a key that is split too often repeat with it.
            continue
        made, spent = _paths(known, makers), _paths(known, uses)
        places = (
            *routes.roles("made", routes.made_at(made, spent)),
            *routes.roles("passed", routes.passed(made, spent)),
            *routes.roles("spent", (known.book.uses[number].call_site.span for number in uses)),
        )
        numbers = tuple(dict.fromkeys(known.site_of[uses].tolist()))
        first, *others = (known.sites[number] for number in numbers)
        on_purpose = meant(places)
        subject = say("One key is") if len(keys) == 1 else say("{count} keys are", count=f"{len(keys):,}")
        remedy = say("Split it first: one key to draw with, one to fold into.")
        message = say(
            "{subject} drawn from by {drawn} and given to {folded} to make more keys: {why}. {remedy}",
            subject=subject,
            drawn=at(first),
            folded=listed([at(site) for site in others]),
            why=_FOLLOW,
            remedy=say("It is marked as on purpose.") if on_purpose else remedy,
        )
        level: Level = "warning" if is_tests_own(makers, uses, keys, made_again=False) else "bug"
        yield Finding(
            "key-reuse",
            "note" if on_purpose else level,
            message,
            tuple(site.span for site in (first, *others[: MAX_PLACES - 1]) if site.span is not None),
            sample_keys(keys),
            numbers[:MAX_PLACES],
            count=len(keys),
            on_purpose=on_purpose,
            places=sample_places(places),
            lesson=lesson_of("key-reuse", "drawn and split"),
        )


def _makers_of(known: Lineage, keys: Integers, use: int) -> list[int]:
    """Return the uses that made `keys`, as seen from `use`."""
    uses = known.book.uses[use]
    found = makers_before(known, keys, np.full(len(keys), uses.moments.max()), uses.call_site.path)
    return [number for number in np.unique(found).tolist() if number >= 0]


def _drawn_and_folded(known: Lineage) -> Iterator[tuple[int, list[int], Integers]]:
    """Yield (index of the drawing use, indices of the fold_in uses, keys int[n]) for each place that draws."""
    folds = {
        number: np.unique(uses.spent)
        for number, uses in enumerate(known.book.uses)
        if uses.event.operation == "fold_in" and not uses.again and not uses.call_site.inside
    }
    if not folds:
        return
    drawn_by = np.full(known.book.size, -1)
    for number, draws in enumerate(known.draws):
        drawn_by[draws.keys] = number
    found: dict[int, dict[int, Integers]] = {}
    for number, keys in folds.items():
        drawn = keys[drawn_by[keys] >= 0]
        for site in np.unique(known.site_of[drawn_by[drawn]]):
            chosen = drawn[known.site_of[drawn_by[drawn]] == site]
            found.setdefault(int(site), {})[number] = chosen
    for by_fold in found.values():
        keys = np.unique(np.concatenate(list(by_fold.values())))
        yield int(drawn_by[keys[0]]), list(by_fold), keys
