"""When to ask for the value of an equation, and how long the answer stays valid."""

from __future__ import annotations

from explorer.messages import EquationValue, Focus, Snapshot, ValueRequest
from explorer.session.query import Query


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

    def take(self, came: EquationValue) -> bool:
        """Take an answer and return whether it was expected."""
        if self._query.answered(came.run) is None:
            return False
        self.shown = came
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
