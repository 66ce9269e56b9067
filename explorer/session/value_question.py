"""When to ask for the value of an equation, and until when the answer holds."""

from __future__ import annotations

import msgspec

from explorer.messages import EquationValue, Focus, Snapshot, ValueRequest


class ValueQuestion:
    """The one equation whose value is shown or asked for."""

    def __init__(self) -> None:
        self._equation: Focus | None = None
        self._steps: tuple[int, ...] = ()
        self._asked: ValueRequest | None = None
        self.shown: EquationValue | None = None
        """The newest answer, while its equation is the one that is looked at."""

    def look_at(self, focus: Focus | None) -> bool:
        """Follow what the person selects and return whether what is shown has gone.

        A focus on another kind of thing leaves the value: its own rows can be selected too. One on a finding does
        not, because a finding is about what was returned and drawn.
        """
        if focus is not None and focus.kind not in ("equation", "finding"):
            return False
        equation = focus if focus is not None and focus.kind == "equation" else None
        if equation == self._equation:
            return False
        self._equation, self._steps, self._asked = equation, (), None
        gone = equation is None and self.shown is not None
        if gone:
            self.shown = None
        return gone

    def go_on(self, focus: Focus | None) -> bool:
        """Follow `focus` into a newer snapshot and return whether what is shown has gone, being true no longer."""
        if focus is None or focus.kind != "equation":
            return self.forget()
        self._equation = focus
        return False

    def step_to(self, steps: tuple[int, ...]) -> None:
        """Look at another round of the loops around the equation."""
        self._steps = steps

    def request(self, run: int, snapshot: Snapshot | None) -> ValueRequest | None:
        """Return what to ask as run number `run`, None where it is known, asked already, or cannot be asked yet."""
        focus = self._equation
        if focus is None or snapshot is None or not snapshot.complete:
            return None
        report = snapshot.report(focus.variant)
        program = report.program if report is not None else None
        # Another form of the program tells of no equations, but the worker knows them.
        if program is None or (program.form == "jaxpr" and not 0 <= focus.index < len(program.equations)):
            return None
        wanted = ValueRequest(run, snapshot.run, focus.variant, focus.index, self._steps)
        if self._asked is not None and msgspec.structs.replace(self._asked, run=run) == wanted:
            return None
        self._asked = wanted
        return wanted

    def take(self, came: EquationValue) -> bool:
        """Take over an answer and return whether it is the one that is waited for."""
        if self._asked is None or came.run != self._asked.run:
            return False
        self.shown = came
        return True

    def show(self, value: EquationValue) -> None:
        """Hold a value that nobody selected an equation for; the next equation that is selected takes its place."""
        self._equation, self._steps, self._asked, self.shown = None, (), None, value

    def forget(self) -> bool:
        """Forget everything, for another program; return whether anything was shown."""
        shown, self.shown = self.shown, None
        self._equation, self._steps, self._asked = None, (), None
        return shown is not None
