"""IterationsPage: curves over the iterations of a loop or the calls of a function, words, the first NaN."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.figures import call_curves
from explorer.focus.variant_names import shown_variant
from explorer.messages import Calls, EquationValue, Focus, Iterations, unmarked
from views.noise.curve_plot import CurvePlot, CurvePoint
from views.parts.controls import fill, scrolled
from views.parts.labels import ShortLabel
from views.parts.own_document import plain_tip
from views.theme import lettered


class IterationsPage(QWidget):
    """Shows a loop's carry and outputs, an equation inside one, or what a recorded function returned, over iterations.

    Signals:
        iteration_chosen: a Focus on the equation, and the iterations of the loops around it, outermost first.
        call_chosen: a Focus on the line of a recorded call.
        hovered: words on the point under the pointer, '' for none.
    """

    iteration_chosen = Signal(object)
    call_chosen = Signal(object)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value: EquationValue | None = None
        self._calls: Calls | None = None
        self._name = ""
        self._words = lettered(ShortLabel(), bold=True)
        self.go = QToolButton()
        self.go.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.to_cause = QToolButton()
        """Goes to the line that made the first NaN in a recorded call."""
        self.to_cause.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plot = CurvePlot()
        self._scroll = scrolled(self.plot)
        head = QHBoxLayout()
        head.addWidget(self._words, 1)
        for each in (self.go, self.to_cause):
            head.addWidget(each, 0, Qt.AlignmentFlag.AlignTop)
        fill(QVBoxLayout(self), head, (self._scroll, 1), spacing=4)
        self.go.clicked.connect(self._go)
        self.to_cause.clicked.connect(self._go_to_cause)
        self.plot.chosen.connect(self._choose)
        self.plot.hovered.connect(self.hovered)

    def show_value(self, value: EquationValue | None) -> None:
        """Show the curves of `value`, if it has any, instead of those of calls."""
        self._value, self._calls = value, None
        iterations = self.iterations
        loops = value.loops if value is not None else ()
        is_inside = iterations is not None and len(loops) > iterations.around
        self._show(loops[-1].step if is_inside else -1)

    def show_calls(self, calls: Calls | None, name: str = "") -> None:
        """Show the curves of recorded `calls`, of the recording called `name` if there are two; None removes them."""
        if calls is not self._calls or name != self._name:
            self._calls, self._name = calls, name
            self._show(-1)

    def _show(self, step: int) -> None:
        iterations = self.iterations
        self.plot.show_iterations(iterations, step)
        self._words.setText(self.words)
        bad = iterations.first_not_finite if iterations is not None else -1
        self.go.setVisible(bad >= 0)
        go = self.tr("Go to call {}") if self._calls is not None else self.tr("Go to iteration {}")
        self.go.setText(go.format(f"{bad + 1:,}"))
        self.go.setToolTip(
            self.tr("Show the line of the call in which NaN or infinity first appears")
            if self._calls is not None
            else self.tr("Show the iteration in which NaN or infinity first appears, at its equation")
        )
        line = self._calls.cause_line if self._calls is not None else 0
        self.to_cause.setVisible(line > 0)
        self.to_cause.setText(self.tr("Go to line {}").format(line))
        cause = self._calls.cause if self._calls is not None else None
        self.to_cause.setToolTip(plain_tip(unmarked(cause.sentence)) if cause is not None else "")
        self.setAccessibleDescription(self.words)

    @property
    def iterations(self) -> Iterations | None:
        """The curves on the page, None without any."""
        if self._calls is not None:
            return self._calls.iterations
        return self._value.iterations if self._value is not None else None

    @property
    def verdict(self) -> str:
        """The sentences above the curves, or a few words on those over calls, for the pane's title."""
        if self._calls is None:
            return self.words
        return ": ".join(filter(None, (self._name, str(call_curves.verdict(self._calls)))))

    @property
    def words(self) -> str:
        """Return the sentences above the curves."""
        found = self.iterations
        if found is None:
            return ""
        if self._calls is not None:
            parts = (self._name, call_curves.title(self._calls), call_curves.words(found))
            return ": ".join(map(str, filter(None, parts)))
        name = shown_variant(self._value.variant) if self._value is not None else ""
        return f"{name}: {self._sentences(found)}"

    def _sentences(self, found: Iterations) -> str:
        if found.sentence:
            return str(found.sentence)
        if not found.length:
            return self.tr("This loop runs no iteration for the current inputs.")
        length = f"{found.length:,}"
        if found.first_not_finite >= 0:
            words = self.tr("NaN or infinity first appears in iteration {number} of {length}.")
            sentences = [words.format(number=f"{found.first_not_finite + 1:,}", length=length)]
        else:
            sentences = [self.tr("{length} iterations, all values finite.").format(length=length)]
        if found.stride > 1:
            words = self.tr("Only every {stride}th is drawn; all were searched for NaN and infinity.")
            sentences.append(words.format(stride=f"{found.stride:,}"))
        if found.left_out:
            sentences.append(self.tr("Arrays that are not drawn: {count}.").format(count=f"{found.left_out:,}"))
        return " ".join(sentences)

    def _go(self) -> None:
        """Go to the equation that makes the first NaN, or else to the array that has it."""
        found = self.iterations
        assert found is not None
        number = found.first_not_finite
        having = next(each for each in found.curves if each.first_not_finite == number)
        self._request(having.equation if found.origin < 0 else found.origin, number)

    def _go_to_cause(self) -> None:
        assert self._calls is not None
        self.call_chosen.emit(Focus("line", self._calls.cause_line))

    def _choose(self, chosen: CurvePoint) -> None:
        self._request(chosen.curve.equation, chosen.iteration)

    def _request(self, equation: int, iteration: int) -> None:
        value, found = self._value, self.iterations
        if self._calls is not None:
            self._show(iteration)
            if line := self._calls.span.shown_line:
                self.call_chosen.emit(Focus("line", line))
            return
        assert value is not None
        assert found is not None
        outside = tuple(each.step for each in value.loops[: found.around])
        if equation >= 0:
            self.iteration_chosen.emit((Focus("equation", equation, value.variant), (*outside, iteration)))
