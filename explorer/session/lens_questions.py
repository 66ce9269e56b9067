"""When to ask what a transform did to the variants on screen, and until when the answers hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from explorer.messages import LensFurther, LensName, LensRequest, LensTold, Snapshot, is_as_it_was
from explorer.messages.lenses.gradient import GradientLens
from explorer.session.query import Query


class LensQuestions:
    """The lens that is looked through, and what it shows of each variant; one that is not costs nothing."""

    def __init__(self) -> None:
        self._lens: LensName | None = None
        self._query: Query[LensRequest, LensTold] = Query()
        self._told: dict[str, LensTold] = {}
        self._further: LensFurther | Literal[""] = ""
        self._of = 0
        """The run that this is wanted of: of a newer one nobody has asked for it."""
        self._answered: dict[str, LensRequest] = {}
        """What the newest answers are to."""

    @property
    def told(self) -> tuple[LensTold, ...]:
        """The newest answers, also where they are of an older program and another is on its way."""
        return tuple(self._told.values())

    def choose(self, lens: LensName | None) -> None:
        """Look through another lens, or through none."""
        if lens != self._lens:
            self._lens, self._query.asked, self._told, self._further = lens, None, {}, ""

    def want(self, further: LensFurther, of: int) -> None:
        """Be told this, too, of the program of run number `of`; once more where it was wanted before."""
        self._further, self._of = further, of
        self._query.asked, self._answered = None, {}

    def request(self, run: int, snapshot: Snapshot | None) -> LensRequest | None:
        """Return what to ask as run number `run` about a variant of `snapshot`, None where all is known or asked."""
        if self._lens is None or snapshot is None or not snapshot.complete:
            return None
        names = [each.name for each in snapshot.reports if self._lens in each.lenses]
        measured = [each for each in names if not is_as_it_was(each)]
        for name in names:
            wanted = self._wanted(run, snapshot.run, name, self._lens, measured)
            if not self._knows(wanted):
                return self._query.new(wanted)
        return None

    def _wanted(self, run: int, of: int, name: str, lens: LensName, measured: Sequence[str]) -> LensRequest:
        """Return what to ask of variant `name`; those that are `measured` are so in one run, told with the first."""
        further = self._further if self._of == of else ""
        if further != "measure":
            return LensRequest(run, of, name, lens, further)
        if name not in measured[:1]:
            return LensRequest(run, of, name, lens)
        return LensRequest(run, of, name, lens, further, "".join(measured[1:2]))

    def _knows(self, wanted: LensRequest) -> bool:
        told, answered = self._told.get(wanted.variant), self._answered.get(wanted.variant)
        if told is None or told.of != wanted.of or not told.complete:
            return False
        return not wanted.further or (answered is not None and answered.further == wanted.further)

    def put_off(self) -> None:
        """Ask again later what is under way: something else is asked first."""
        self._query.asked = None

    def take(self, came: LensTold) -> bool:
        """Take over an answer and return whether it is one that is waited for."""
        asked = self._query.answered(came.run)
        if asked is None:
            return False
        if came.complete:
            self._answered[came.variant] = asked
        before = self._told.get(came.variant)
        if asked.further and before is not None and before.of == came.of:
            came = _with_what_was_told(came, before)
        self._told[came.variant] = came
        return True

    def keep(self, names: Sequence[str]) -> bool:
        """Forget what is known of all variants but `names`; return whether there was anything."""
        before, self._told = self._told, {name: told for name, told in self._told.items() if name in names}
        return len(before) != len(self._told)


def _with_what_was_told(came: LensTold, before: LensTold) -> LensTold:
    """Return `came`, the answer to something on top, with what `before` tells of the same program and it does not."""
    lens, old = came.lens, before.lens
    if lens is None:
        return msgspec.structs.replace(came, lens=old)
    if not isinstance(lens, GradientLens) or not isinstance(old, GradientLens):
        return came
    first = lens.first_not_finite
    if first is not None and old.first_not_finite is not None and first.fixes is None:
        first = msgspec.structs.replace(first, fixes=old.first_not_finite.fixes)
    costs, rows = lens.costs or old.costs, lens.rows or old.rows
    whole = msgspec.structs.replace(lens, first_not_finite=first, costs=costs, rows=rows)
    return msgspec.structs.replace(came, lens=whole)
