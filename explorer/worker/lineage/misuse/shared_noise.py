"""Findings of keys that examples or devices share: the message names the draw, the call that shares, and the fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from explorer.diagnostics.registry import lesson_of
from explorer.figures.equal_rows import Integers
from explorer.messages import Finding, Level, Place, Span
from explorer.text.text import Text, say, sentences
from explorer.worker.lineage.key_uses import KeyOperation
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import routes
from explorer.worker.lineage.misuse.on_purpose import IntendedReuse
from explorer.worker.lineage.misuse.routes import call_of, makers_before, roots_inside
from explorer.worker.lineage.misuse.site_description import (
    MAX_PLACES,
    PlaceDescriber,
    listed,
    sample_keys,
    sample_places,
)
from explorer.worker.lineage.sharing import BATCHED_TOGETHER, SharedAxis


class _Cause(msgspec.Struct, frozen=True):
    """Draws that are shared because of one call or one key."""

    numbers: list[int]
    """Indices of the drawing uses."""
    roots: Integers
    """The shared keys, from which the drawn ones may derive."""
    makers: Integers
    """Indices of the uses that made these keys for these draws."""

    def joined(self, other: _Cause) -> _Cause:
        """Return this cause with the draws of `other`, which has the same cause."""
        numbers = [*self.numbers, *other.numbers]
        return _Cause(numbers, np.union1d(self.roots, other.roots), np.union1d(self.makers, other.makers))


def shared(known: Lineage, at: PlaceDescriber, meant: IntendedReuse) -> Iterator[tuple[Finding, frozenset[int]]]:
    """Yield a finding for each call that makes several examples or devices share a draw, or draw equal numbers.

    The second value is the indices of all uses inside that call if each example makes the same key there; else empty.
    """
    for cause in _causes(known):
        numbers = cause.numbers
        book, drawn = known.book, [known.draws[number] for number in numbers]
        uses, outermost = book.uses[numbers[0]], drawn[0].shared[0]
        keys = np.concatenate([each.keys[each.serves > 1] for each in drawn])
        sites = tuple(dict.fromkeys(known.site_of[numbers].tolist()))
        spans = list(dict.fromkeys(span for site in sites if (span := known.sites[site].span) is not None))
        paths = [book.uses[number].call_site.path for number in numbers]
        made = routes.made_at([path for maker in cause.makers if (path := book.uses[maker].call_site.path)], paths)
        call = call_of(uses, outermost)
        places: tuple[Place, ...] = (
            *routes.roles("made", made),
            *routes.roles("shared", [call]),
            *routes.roles("spent", spans),
        )
        on_purpose = meant(places)
        harmless = _harmless([book.uses[number] for number in numbers], outermost)
        named = list(dict.fromkeys(at(known.sites[site]) for site in sites))
        anew = _made_anew(known, cause, outermost) if not on_purpose and not harmless else frozenset()
        cure = _made_inside(made, at, devices=outermost.level is None) if anew and made else None
        level: Level = "note" if on_purpose or harmless else "bug"
        if level == "bug" and not known.book.call_roles.get("fixed", frozenset()).isdisjoint(
            place.span for place in places
        ):
            level = "warning"
            harmless = say(
                "If the key is fixed on purpose, say so: `# jax-explorer: on purpose`. If not, split it, one key for "
                "each example."
            )
        mapping = at.line(call) if call is not None and call.line not in {span.line for span in spans} else None
        found = Finding(
            "shared-noise",
            level,
            _words(named, uses, drawn[0].shared, cure or harmless, mapping, on_purpose=on_purpose),
            (*spans[:MAX_PLACES], *([call] if call is not None else made[:1])),
            sample_keys(keys),
            sites[:MAX_PLACES],
            axis=outermost.level,
            examples=outermost.size,
            distinct=outermost.distinct,
            count=sum(len(np.unique(each.moments[each.serves > 1])) for each in drawn),
            on_purpose=on_purpose,
            places=sample_places(places),
            lesson=lesson_of("shared-noise", _reason(uses, outermost)),
        )
        yield found, anew


def _causes(known: Lineage) -> Iterable[_Cause]:
    """Return the uses that draw for several examples or devices, grouped by the call or key that makes them share."""
    causes: dict[object, _Cause] = {}
    roots_of: dict[object, Integers] = {}
    for number, (uses, draws) in enumerate(zip(known.book.uses, known.draws, strict=True)):
        follows_keys = uses.event.implementation not in BATCHED_TOGETHER
        if not draws.shared or not (follows_keys or _is_one_draw(uses, draws.shared[0])):
            continue
        first, here = draws.shared[0], draws.serves > 1
        call, roots = call_of(uses, first), draws.keys[here]
        if call is not None:
            inside = call, first.level
            if inside not in roots_of:
                roots_of[inside] = roots_inside(known, call, first)
            roots = roots_of[inside][roots]
        made_by = np.unique(makers_before(known, roots, draws.moments[here], uses.call_site.path))
        made_by, roots = made_by[made_by >= 0], np.unique(roots)
        site = known.sites[known.site_of[number]]
        cause: object = (site.inside or site.name, site.span or site)
        if call is not None:
            cause = call, tuple(np.unique(known.site_of[made_by]).tolist())
        new = _Cause([number], roots, made_by)
        makes_parameter = first.level is not None and uses.call_site.levels[first.level].makes_parameter
        group = cause, draws.shared, _is_one_draw(uses, first), makes_parameter
        causes[group] = causes[group].joined(new) if group in causes else new
    return causes.values()


def _made_anew(known: Lineage, cause: _Cause, axis: SharedAxis) -> frozenset[int]:
    """Return the uses under the call that maps `axis` if it makes all keys of `cause` from seeds; else an empty set."""
    made = [known.book.uses[maker] for maker in cause.makers]
    call = call_of(known.book.uses[cause.numbers[0]], axis)
    is_anew = call is not None and all(
        uses.event.operation == "seed" and not uses.call_site.library and call_of(uses, axis) == call for uses in made
    )
    if not is_anew:
        return frozenset()
    return frozenset(number for number, uses in enumerate(known.book.uses) if call_of(uses, axis) == call)


def _made_inside(made: Sequence[Span], at: PlaceDescriber, *, devices: bool) -> Text:
    """Return the remedy for keys that each example makes anew at `made`."""
    return say(
        "Each device makes the same key on {lines}: give each a key of its own, split from one outside."
        if devices
        else "Each example makes the same key on {lines}: give each a key of its own, split from one before vmap.",
        lines=at.lines(made),
    )


def _reason(uses: KeyOperation, axis: SharedAxis) -> str:
    """Return the reason in a word or two; empty where vmap does not map the key of the whole batch."""
    if axis.level is None:
        return "devices"
    if not _is_one_draw(uses, axis):
        return "equal keys"
    return "inner axis" if axis.level > 0 else ""


def _is_one_draw(uses: KeyOperation, axis: SharedAxis) -> bool:
    """Return whether JAX drew once along the axis, because vmap does not map the key there."""
    return axis.level is not None and uses.call_site.levels[axis.level].axis is None


def _harmless(uses: Sequence[KeyOperation], axis: SharedAxis) -> Text | None:
    """Return why it does no harm that examples along `axis` share the draws in `uses`; None where it does."""
    if axis.level is not None and uses[0].call_site.levels[axis.level].makes_parameter:
        return say("It is a parameter of the model, and all examples have the same weights.")
    if all(each.event.unread for each in uses):
        return say("No output depends on these numbers: only their shape or dtype is used.")
    return None


def _words(
    places: Sequence[Text],
    uses: KeyOperation,
    axes: Sequence[SharedAxis],
    instead: Text | None,
    mapping: Text | None,
    *,
    on_purpose: bool,
) -> Text:
    """Return the sentences on a shared draw; `mapping` is the line of the vmap, None on the line of the draw."""
    first = axes[0]
    devices = first.level is None
    sizes = str(first.size) if devices else " x ".join(str(axis.size) for axis in axes if axis.level is not None)
    keys = say("one key") if first.distinct == 1 else say("{count} keys", count=first.distinct)
    whose = say(
        "{count} devices share {keys}" if devices else "{sizes} examples share {keys}",
        count=sizes,
        sizes=sizes,
        keys=keys,
    )
    if first.level is not None and first.level > 0:
        whose = say("{whose} along axis {axis} of the batch", whose=whose, axis=first.level)
    parts = {"whose": whose, "place": places[0]}
    equal = say("{whose}: {place} draws equal numbers where the keys are equal.", **parts)
    if devices:
        text = say("{whose}: {place} draws the same numbers on each of them.", **parts)
        text, cure = text if first.distinct == 1 else equal, _one_each(devices=True)
    elif _is_one_draw(uses, first):
        text = say("{whose}: {place} draws once and serves them all.", **parts)
        cure = say("vmap does not map the key there; split it, one key for each example.")
        if mapping is not None:
            cure = say("vmap on {line} does not map the key; split it, one key for each example.", line=mapping)
        if split := uses.call_site.levels[first.level or 0].rngs:
            where = say(" on {lines}", lines=mapping) if mapping is not None else ""
            cure = say(
                "vmap{where} does not split the key: give each example its own with {code}.",
                where=where,
                code=f"`{split}`",
            )
    elif first.distinct > 1:
        text, cure = equal, say("Split one key for each example.")
    else:
        text, cure = (
            say("{whose}: {place} draws the same numbers for all of them.", **parts),
            _one_each(devices=False),
        )
    also = [say("So does {place}.", place=places[1])] if len(places) == 2 else []
    if len(places) > 2:
        also = [say("So do {places}.", places=listed(places[1:]))]
    return sentences(text, *also, say("It is marked as on purpose.") if on_purpose else instead or cure)


def _one_each(*, devices: bool) -> Text:
    return say("Split the key, one for each device." if devices else "Split the key, one for each example.")
