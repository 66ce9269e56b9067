"""When to ask how a transform changed the variants on screen, and how long the answers stay valid."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from explorer.messages import LensAnswer, LensRequest, Snapshot, is_original
from explorer.messages.lenses import LENSES
from explorer.messages.tables import Rerun
from explorer.session.query import Query


class LensQuestions:
    """The lens in use and its answers for each variant. Unused lenses cost nothing."""

    def __init__(self) -> None:
        self._lens = ""
        self._query: Query[LensRequest, LensAnswer] = Query()
        self._answers: dict[str, LensAnswer] = {}
        self._rerun: Rerun | None = None
        self._about_run = 0
        """The run whose program the rerun was requested for; a newer run has no rerun yet."""
        self._answered: dict[str, LensRequest] = {}
        """The request that each newest answer belongs to."""
        self._recorded: dict[str, tuple[LensAnswer, ...]] = {}
        """All lenses of each recording on screen, by the name of its report: they are not requested."""

    @property
    def answers(self) -> tuple[LensAnswer, ...]:
        """The newest answers, also where they are of an older program and another is on its way."""
        recorded = (each for some in self._recorded.values() for each in some if each.name == self._lens)
        return (*self._answers.values(), *recorded)

    @property
    def chosen(self) -> str:
        """The id of the chosen lens, '' for none."""
        return self._lens

    @property
    def timing(self) -> Rerun | None:
        """The rerun of the chosen lens that Time requests too."""
        return LENSES[self._lens].timing if self._lens else None

    def show_recorded(self, answers: Sequence[LensAnswer]) -> None:
        """Add all lenses of a recording, whose report is shown under the name of their variant."""
        self._recorded |= {each.variant: tuple(answers) for each in answers}

    def forget(self) -> None:
        """Drop all answers: another program is opened."""
        self._answers, self._recorded = {}, {}

    def choose(self, lens: str) -> None:
        """Choose the lens with this id, '' for none."""
        if lens != self._lens:
            self._lens, self._query.asked, self._answers, self._rerun = lens, None, {}, None

    def want(self, rerun: Rerun, run: int) -> None:
        """Request `rerun` of the program of run number `run`, also when it was requested before."""
        self._rerun, self._about_run = rerun, run
        self._query.asked, self._answered = None, {}

    def request(self, run: int, snapshot: Snapshot | None) -> LensRequest | None:
        """Return the next LensRequest, with number `run`; None where all variants of `snapshot` are asked about."""
        if not self._lens or snapshot is None or not snapshot.complete:
            return None
        reports = [each for each in snapshot.reports if self._lens in each.lenses and not each.recorded]
        names = [each.name for each in reports]
        together = [each for each in names if not is_original(each)]
        for report in reports:
            wanted = self._wanted(run, snapshot.run, report.name, together)
            wanted = msgspec.structs.replace(wanted, subject=report.subject)
            if not self._knows(wanted):
                return self._query.new(wanted)
        return None

    def _wanted(self, run: int, about_run: int, name: str, together: Sequence[str]) -> LensRequest:
        """Return the request for variant `name`; a rerun of two `together` is asked of the first."""
        plain = LensRequest(run, about_run, name, self._lens)
        if self._rerun is None or self._about_run != about_run:
            return plain
        asked = msgspec.structs.replace(plain, rerun=self._rerun.id)
        if not self._rerun.together:
            return asked
        return msgspec.structs.replace(asked, other_variant="".join(together[1:2])) if name in together[:1] else plain

    def _knows(self, wanted: LensRequest) -> bool:
        answer, answered = self._answers.get(wanted.variant), self._answered.get(wanted.variant)
        if answer is None or answer.about_run != wanted.about_run or not answer.complete:
            return False
        return not wanted.rerun or (answered is not None and answered.rerun == wanted.rerun)

    def put_off(self) -> None:
        """Cancel the request under way, so that it is sent again after a more urgent one."""
        self._query.asked = None

    def take(self, came: LensAnswer) -> bool:
        """Take an answer and return whether it was expected."""
        asked = self._query.answered(came.run)
        if asked is None:
            return False
        if came.complete:
            self._answered[came.variant] = asked
        before = self._answers.get(came.variant)
        if asked.rerun and before is not None and before.about_run == came.about_run:
            came = _with_earlier_answer(came, before)
        self._answers[came.variant] = came
        return True

    def keep(self, names: Sequence[str]) -> bool:
        """Drop the answers for all variants except `names`; return whether any were dropped."""
        before, self._answers = self._answers, {name: answer for name, answer in self._answers.items() if name in names}
        return len(before) != len(self._answers)


def _with_earlier_answer(came: LensAnswer, before: LensAnswer) -> LensAnswer:
    """Return `came`, the answer to a rerun, completed by fields of `before` about the same program."""
    lens, old = came.lens, before.lens
    whole = lens.completed(old) if lens is not None and old is not None else lens or old
    return msgspec.structs.replace(came, lens=whole)
