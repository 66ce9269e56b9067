"""Applies transforms to a variant and opens values in a real window; run by test_window.py in its own process."""

from __future__ import annotations

import re
import sys

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QTextCursor

from explorer.library import library
from explorer.messages import Applied
from tests.whole.window_drive import Drive, main
from views.noise.noise_view import NoiseView
from views.program.program_text import ProgramText


class TransformsDrive(Drive):
    """A user who wants to know the effect of jit and vmap on a variant, and the values of its equations."""

    def go(self) -> None:
        for step in (self.see_the_headline, self.transform, self.see_values, self.see_iterations):
            step()
            sys.stdout.write(f"{step.__name__}: ok\n")
        self.keys("ctrl+q")

    def transform(self) -> None:
        """Open the row and choose jit by keys, then vmap by the mouse."""
        row = self._window.transforms
        self.keys("ctrl+shift+t")
        self.wait("the row", lambda: row.isVisible() and row.chips["jit"].hasFocus())
        self.keys("space")
        self.wait("jit", lambda: "name=shared_key" in self.snapshot.reports[0].program.text)
        self.click(row.chips["vmap"])
        self.wait("vmap", lambda: self._workspace.controls.transforms.applied == (Applied("jit"), Applied("vmap")))
        self.wait("the new shape", lambda: not self._session.stale and self.shapes()[0] == (32, 10))
        self.click(row.copy)
        wanted = "jax.vmap(jax.jit(shared_key), in_axes=(0, None))(x, key)"
        self.wait("the copy", lambda: QGuiApplication.clipboard().text() == wanted)

    def see_values(self) -> None:
        """An equation by a click, the one above it by a key, and away with Escape."""
        shown = [each for each in self._window.findChildren(ProgramText) if each.isVisible()]
        # The first variant is on the left, or above, as the room and the letters decide.
        text = min(shown, key=lambda each: each.mapToGlobal(QPoint()).manhattanLength())
        # Equations that are not folded, of arrays of floats.
        lines = [text.document().findBlockByNumber(row).text() for row in range(text.blockCount())]
        row = next(row for row, line in enumerate(lines) if re.match(r"\s+\w+:f32\[.* = [a-z_]+ ", line))
        cursor = QTextCursor(text.document().findBlockByNumber(row))
        cursor.movePosition(QTextCursor.MoveOperation.NextWord)
        self.wait_until_still("the program", lambda: (text.mapToGlobal(text.cursorRect(cursor).center()), text.size()))
        while text.cursorRect(cursor).bottom() > text.viewport().height():
            self.wheel_down(text)
        place = text.viewport().mapTo(text, text.cursorRect(cursor).center() + QPoint(3, 0))
        self.click(text, at=place)
        self.wait("a value", lambda: self.noise_verdict().count(": ") > 0 and "[" in self.noise_verdict())
        first = self.noise_verdict()
        self.keys("Up")
        self.wait("another value", lambda: self.noise_verdict() != first and "[" in self.noise_verdict())
        self.keys("Escape")
        self.wait("the output", lambda: "examples" in self.noise_verdict())

    def see_iterations(self) -> None:
        """The curves of a loop; one click goes to its first NaN, another one to an iteration on its curve."""
        self._desk.take_up(library.open_target("when_the_loss_became_nan"))
        self._desk.lesson.uncover()
        view = self._window.findChild(NoiseView)
        self.wait("the curves", view.iterations.go.isVisible)
        self.wait_until_still("the pane", lambda: (view.mapToGlobal(QPoint()), view.size()))
        self.click(view.iterations.go)
        self.wait("the logarithm", lambda: "equation" in self._session.marks().sentence)
        plot = view.iterations.plot
        self.wait("its value", lambda: view.over_iterations.isVisible() and not plot.isVisible())
        bad = view.value_bar.loops.places()[0]
        self.click(view.over_iterations)
        self.wait("its curve", plot.isVisible)
        self.wait_until_still("the curve", lambda: (plot.mapToGlobal(QPoint()), plot.size()))
        self.click(plot, at=QPoint(plot.width() // 3, plot.height() // 2))
        self.wait("an earlier iteration", lambda: 0 < view.value_bar.loops.places()[0] < bad)

    def noise_verdict(self) -> str:
        """Return the verdict of the noise pane on the first variant."""
        return self._window.findChild(NoiseView).halves[0].words


if __name__ == "__main__":
    sys.exit(main(TransformsDrive))
