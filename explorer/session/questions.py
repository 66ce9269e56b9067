"""``Query``: the newest request of a kind, and its cached answers; when to ask for a value or a lens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import msgspec

from explorer.messages import EquationValue, Focus, LensAnswer, LensRequest, RunRequest, Snapshot, ValueRequest
from explorer.messages.lenses import LENSES, Rerun

MOST_CACHED = 24
R = TypeVar("R", bound=RunRequest)
A = TypeVar("A")


class Query(Generic[R, A]):
    """One kind of request: drops late answers, and can cache answers.

    Two requests count as equal where they differ only in their number and the `ignored` fields.
    """

    def __init__(self, *ignored: str) -> None:
        self._ignored = dict.fromkeys(ignored) | {"run": 0}
        self.asked: R | None = None
        """The newest request; None where no answer is expected."""
        self._cached: list[tuple[list[R], A]] | None = None

    def new(self, wanted: R) -> R | None:
        """Return `wanted` and make it the newest request; None where the newest request is equal to it."""
        if self.asked is not None and self.what(self.asked) == self.what(wanted):
            return None
        self.asked = wanted
        return wanted

    def answered(self, run: int) -> R | None:
        """Return the newest request if `run` is its number; None for a late answer."""
        return self.asked if self.asked is not None and self.asked.run == run else None

    def what(self, *requests: R) -> list[R]:
        """Return `requests` without run numbers and ignored fields, to be compared."""
        return [msgspec.structs.replace(each, **self._ignored) for each in requests]

    def keep(self, on: bool) -> None:
        """Cache answers from now on, to show them again for earlier pages; off, drop the cache."""
        self._cached = (self._cached or []) if on else None

    def note(self, answer: A, *asked: R) -> None:
        """Cache `answer` as the newest one to the requests `asked`."""
        if self._cached is not None:
            what = self.what(*asked)
            others = [pair for pair in self._cached if pair[0] != what]
            self._cached = [*others[-MOST_CACHED + 1 :], (what, answer)]

    def known(self, *asked: R) -> A | None:
        """Return the newest cached answer to the requests `asked`; None where there is none."""
        what = self.what(*asked)
        return next((answer for known, answer in self._cached or () if known == what), None)


class ValueQuestion:
    """The one equation whose value is shown or requested."""

    def __init__(self) -> None:
        self._equation: Focus | None = None
        self._steps: tuple[int, ...] = ()
        self._query: Query[ValueRequest, EquationValue] = Query()
        self.shown: EquationValue | None = None
        """The newest answer, while its equation is the one that is checked."""

    def look_at(self, focus: Focus | None) -> bool:
        """Follow the selection and return whether the value on screen became obsolete.

        A focus on another kind of thing leaves the value, because its own rows can be selected too. One on a finding
        clears it, because findings are about outputs and draws.
        """
        if focus is not None and focus.kind not in ("equation", "finding"):
            return False
        equation = focus if focus is not None and focus.kind == "equation" else None
        if equation == self._equation:
            return False
        if equation is None:
            return self.forget()
        self._equation, self._steps, self._query.asked = equation, (), None
        return False

    def go_on(self, focus: Focus | None) -> bool:
        """Follow `focus` into a newer snapshot and return whether the value on screen became obsolete."""
        if focus is None or focus.kind != "equation":
            return self.forget()
        self._equation = focus
        return False

    def step_to(self, steps: tuple[int, ...]) -> None:
        """Choose another iteration of the loops around the equation."""
        self._steps = steps

    def request(self, run: int, snapshot: Snapshot | None) -> ValueRequest | None:
        """Return the next ValueRequest, with number `run`; None where the value is known, asked for or not ready."""
        focus = self._equation
        if focus is None or snapshot is None or not snapshot.complete:
            return None
        report = snapshot.report(focus.variant)
        program, subject = (report.program, report.subject) if report is not None else (None, "")
        # Another form of the program reports no equations, but the worker knows them.
        if program is None or (program.form == "jaxpr" and not 0 <= focus.index < len(program.equations)):
            return None
        return self._query.new(ValueRequest(run, snapshot.run, focus.variant, focus.index, self._steps, subject))

    def take(self, received: EquationValue) -> bool:
        """Take an answer and return whether it was expected."""
        if self._query.answered(received.run) is None:
            return False
        self.shown = received
        return True

    def show(self, value: EquationValue) -> None:
        """Show `value`, which belongs to no selected equation, until an equation is selected."""
        self.forget()
        self.shown = value

    def forget(self) -> bool:
        """Clear everything, for another program; return whether a value was on screen."""
        shown, self.shown = self.shown, None
        self._equation, self._steps, self._query.asked = None, (), None
        return shown is not None


class LensQuestions:
    """The lens in use and its answers for each variant. Unused lenses cost nothing."""

    def __init__(self) -> None:
        self.chosen = ""
        """The id of the chosen lens, '' for none."""
        self._query: Query[LensRequest, LensAnswer] = Query()
        self._answers: dict[str, LensAnswer] = {}
        self._rerun: Rerun | None = None
        self._about_run = 0
        """The run whose program the rerun was requested for; a newer run has no rerun yet."""
        self._answered: dict[str, LensRequest] = {}
        """The request that each newest answer belongs to."""

    @property
    def answers(self) -> tuple[LensAnswer, ...]:
        """The newest answers, also where they are of an older program and another is on its way."""
        return tuple(self._answers.values())

    @property
    def timing(self) -> Rerun | None:
        """The rerun of the chosen lens that Time requests too."""
        return LENSES[self.chosen].timing if self.chosen else None

    def forget(self) -> None:
        """Drop all answers: another program is opened."""
        self._answers = {}

    def choose(self, lens: str) -> None:
        """Choose the lens with this id, '' for none."""
        if lens != self.chosen:
            self.chosen, self._query.asked, self._answers, self._rerun = lens, None, {}, None

    def want(self, rerun: Rerun, run: int) -> None:
        """Request `rerun` of the program of run number `run`, also when it was requested before."""
        self._rerun, self._about_run = rerun, run
        self._query.asked, self._answered = None, {}

    def request(self, run: int, snapshot: Snapshot | None) -> LensRequest | None:
        """Return the next LensRequest, with number `run`; None where all variants of `snapshot` are asked about."""
        if not self.chosen or snapshot is None or not snapshot.complete:
            return None
        reports = [each for each in snapshot.reports if self.chosen in each.lenses]
        for report in reports:
            count = next((each.calls for each in report.subjects if each.name == report.subject), 0)
            rerun = self._rerun.id if self._rerun is not None and self._about_run == snapshot.run else ""
            wanted = LensRequest(run, snapshot.run, report.name, self.chosen, rerun, report.subject, count)
            if not self._knows(wanted):
                return self._query.new(wanted)
        return None

    def _knows(self, wanted: LensRequest) -> bool:
        answer, answered = self._answers.get(wanted.variant), self._answered.get(wanted.variant)
        if answer is None or answer.about_run != wanted.about_run or not answer.complete:
            return False
        return not wanted.rerun or (answered is not None and answered.rerun == wanted.rerun)

    def put_off(self) -> None:
        """Cancel the request under way, so that it is sent again after a more urgent one."""
        self._query.asked = None

    def take(self, received: LensAnswer) -> bool:
        """Take an answer and return whether it was expected."""
        asked = self._query.answered(received.run)
        if asked is None:
            return False
        if received.complete:
            self._answered[received.variant] = asked
        before = self._answers.get(received.variant)
        if asked.rerun and received.lens is None and before is not None and before.about_run == received.about_run:
            # A rerun that failed leaves the answer that it was to add to.
            received = msgspec.structs.replace(received, lens=before.lens)
        self._answers[received.variant] = received
        return True

    def keep(self, names: Sequence[str]) -> bool:
        """Drop the answers for all variants except `names`; return whether any were dropped."""
        before, self._answers = self._answers, {name: answer for name, answer in self._answers.items() if name in names}
        return len(before) != len(self._answers)
