"""When to ask what a transform did to the variants on screen, and until when the answers hold."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from explorer.messages import LensName, LensRequest, LensTold, Snapshot


class LensQuestions:
    """The lens that is looked through, and what it shows of each variant; one that is not costs nothing."""

    def __init__(self) -> None:
        self._lens: LensName | None = None
        self._asked: LensRequest | None = None
        self._told: dict[str, LensTold] = {}

    @property
    def told(self) -> tuple[LensTold, ...]:
        """The newest answers, also where they are of an older program and another is on its way."""
        return tuple(self._told.values())

    def choose(self, lens: LensName | None) -> None:
        """Look through another lens, or through none."""
        if lens != self._lens:
            self._lens, self._asked, self._told = lens, None, {}

    def request(self, run: int, snapshot: Snapshot | None) -> LensRequest | None:
        """Return what to ask as run number `run` about a variant of `snapshot`, None where all is known or asked."""
        if self._lens is None or snapshot is None or not snapshot.complete:
            return None
        for report in snapshot.reports:
            told = self._told.get(report.name)
            known = told is not None and told.of == snapshot.run and told.complete
            if self._lens in report.lenses and not known:
                wanted = LensRequest(run, snapshot.run, report.name, self._lens)
                if self._asked is None or msgspec.structs.replace(self._asked, run=run) != wanted:
                    self._asked = wanted
                    return wanted
                return None
        return None

    def put_off(self) -> None:
        """Ask again later what is under way: something else is asked first."""
        self._asked = None

    def take(self, came: LensTold) -> bool:
        """Take over an answer and return whether it is one that is waited for."""
        if self._asked is None or came.run != self._asked.run:
            return False
        self._told[came.variant] = came
        return True

    def keep(self, names: Sequence[str]) -> bool:
        """Forget what is known of all variants but `names`; return whether there was anything."""
        before, self._told = self._told, {name: told for name, told in self._told.items() if name in names}
        return len(before) != len(self._told)
