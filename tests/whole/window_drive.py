"""Drives the application in a real window by real key and mouse events; run by test_window.py in its own process.

The events come from xdotool through the X server, as a user's would; their effects are read off the widgets.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QElapsedTimer, QPoint, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QSpinBox, QTextBrowser, QToolTip, QWidget

from explorer import app
from explorer.messages import Snapshot
from explorer.session.session import Session
from explorer.window.commands import Desk
from views.keys.canvas import KeyCanvas
from views.window.main_window import MainWindow

PATIENCE_MS = 60_000
STILL_MS = 500
WAKE_MS = 10


class Drive:
    """A user at the window."""

    def __init__(self, window: MainWindow, session: Session, desk: Desk) -> None:
        self._window, self._session, self._desk = window, session, desk
        self._workspace = session.workspace

    def go_or_die(self) -> None:
        """Go through everything; a failed assertion or a step that waits in vain ends the process with a traceback."""
        try:
            self.go()
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    def go(self) -> None:
        """Go through everything once and quit."""
        steps = (
            self.see_the_headline,
            self.add_a_variant_by_typing,
            self.change_the_batch,
            self.walk_the_findings,
            self.walk_the_keys,
            self.ask_jax_and_compare,
            self.maximise_a_pane,
            self.make_the_text_larger,
            self.complete_a_name,
            self.fix_an_error,
            self.break_the_code_and_undo,
            self.stop_an_endless_loop,
            self.choose_another_scenario,
        )
        for step in steps:
            step()
            sys.stdout.write(f"{step.__name__}: ok\n")
        self.keys("ctrl+q")

    def see_the_headline(self) -> None:
        self.wait("the first result", lambda: self.snapshot is not None and self.snapshot.complete)
        self.expect_complete()
        assert [report.name for report in self.snapshot.reports] == ["shared_key", "key_per_example"]
        self.wait("the noise", lambda: "1 distinct" in self._window.area.noise.accessibleDescription())
        choices = self._window.story.findChildren(QPushButton)
        (right,) = [each for each in choices if each.accessibleName().startswith("all examples get one key")]
        self.click(right)
        self.wait("the reveal", lambda: "Right" in self._window.story.findChild(QTextBrowser).toPlainText())
        distinct = [picture.distinct for report in self.snapshot.reports for picture in (report.pictures or ())[:1]]
        assert distinct == [1, 32]
        assert "1 bug" in self._window.bottom.tabText(0)

    def add_a_variant_by_typing(self) -> None:
        self.write("ctrl+End", "def mine(x):\nreturn x * 3.0\n")
        self.wait("the new variant", lambda: "mine" in [each.name for each in self._workspace.controls.variants])
        assert "\ndef mine(x):\n    return x * 3.0\n" in self._workspace.source, self._workspace.source[-200:]

    def change_the_batch(self) -> None:
        (field,) = [each for each in self._window.findChildren(QSpinBox) if each.accessibleName() == "batch"]
        self.click(field, at=QPoint(12, field.height() // 2))
        self.keys("ctrl+a")
        self.type("8\t")
        self.wait("a batch of 8", lambda: self.shapes() == [(8, 10), (8, 10)])

    def walk_the_findings(self) -> None:
        self.expect_complete()
        self.keys("F4")
        # A line may have been in focus before.
        self.wait("a finding in focus", lambda: getattr(self._session.marks().focus, "kind", "") == "finding")
        marks = self._session.marks()
        assert marks.findings["shared_key"]
        assert marks.rows["shared_key"] == frozenset(range(8))
        self.end_focus()

    def walk_the_keys(self) -> None:
        canvas = [each for each in self._window.findChildren(KeyCanvas) if each.isVisible()][1]
        self.click(canvas)
        for key in ("Home", "Down", "Right", "Return"):
            self.keys(key)
        self.wait("a key in focus", lambda: self._session.marks().focus is not None)
        marks = self._session.marks()
        assert (marks.focus.kind, marks.rows["key_per_example"]) == ("key", frozenset({1}))
        self.keys("d")
        self.wait("a draw in focus", lambda: getattr(self._session.marks().focus, "kind", "") == "draw")
        assert "draw normal from key" in self._window.status.sentence()
        self.end_focus()

    def ask_jax_and_compare(self) -> None:
        self.keys("ctrl+j")
        self.wait("what JAX says", lambda: all(report.jax_checker for report in self.snapshot.reports))
        assert "along the axes" in str(self.snapshot.reports[0].jax_checker)
        self.keys("ctrl+j")
        self.keys("ctrl+d")
        self.wait("one variant", lambda: [report.name for report in self.snapshot.reports] == ["shared_key"])
        self.keys("ctrl+d")
        self.wait("two variants", lambda: len(self.snapshot.reports) == 2)

    def maximise_a_pane(self) -> None:
        self.keys("ctrl+2")
        self.wait("one pane", lambda: self.visible_panes() == [2])
        self.keys("ctrl+2")
        self.wait("four panes", lambda: self.visible_panes() == [1, 2, 3, 4])

    def make_the_text_larger(self) -> None:
        before = self._window.font().pointSizeF()
        self.keys("ctrl+plus")
        self.wait("larger text", lambda: self._window.font().pointSizeF() > before)
        self.keys("ctrl+0")
        self.wait("normal text", lambda: self._window.font().pointSizeF() == before)

    def complete_a_name(self) -> None:
        self.wait("the older runs", lambda: not self._session.stale)
        before = self._workspace.source
        (offered,) = [each for each in QApplication.topLevelWidgets() if each.accessibleName() == "Names that fit"]
        self.write("ctrl+End", "late = jax.random.expon")
        self.wait("the list of names", offered.isVisible)
        assert offered.currentIndex().data() == "exponential"
        self.keys("Tab")
        self.wait("the whole name", lambda: self._workspace.source.endswith("late = jax.random.exponential"))
        self.type("(")
        self.wait("what it takes", lambda: "exponential(key, shape=()" in QToolTip.text())
        self.undo_to(before)

    def fix_an_error(self) -> None:
        self.write("ctrl+End", "late = jnp.ones(3); late[0] = 2.0")
        self.wait("the fix", lambda: bool(self.snapshot and self.snapshot.failure and self.snapshot.failure.fixes))
        broken = self._workspace.source
        self.keys("ctrl+period")
        self.wait("the menu", lambda: QApplication.activePopupWidget() is not None)
        self.keys("Return")
        self.wait("the fix", lambda: self._workspace.source.endswith("late = late.at[0].set(2.0)"))
        self.wait("the program to run", lambda: not self._session.stale and self.snapshot.failure is None)
        self.keys("ctrl+z")
        self.wait("the undo", lambda: self._workspace.source == broken)
        while "late" in self._workspace.source:
            self.keys("ctrl+z")

    def break_the_code_and_undo(self) -> None:
        before = self._workspace.source
        self.write("ctrl+Home", "def (")
        self.wait("the syntax error", lambda: bool(self.snapshot and self.snapshot.failure))
        assert (self.snapshot.failure.type, self.snapshot.failure.line) == ("SyntaxError", 1)
        self.undo_to(before)
        self.wait("the error to go", lambda: bool(self.snapshot and not self.snapshot.failure))

    def stop_an_endless_loop(self) -> None:
        self.wait("the older runs", lambda: not self._session.stale)
        self.write("ctrl+Home", "while True: pass\n")
        self.wait("the loop to run", lambda: "running, 1 s" in self._window.status.state.text())
        self.keys("shift+F9")
        self.wait("the stop", lambda: "stopped" in self._window.status.state.text())
        assert "while True: pass" in self._workspace.source

    def choose_another_scenario(self) -> None:
        self.keys("F6")
        self._window.scenarios.setFocus()
        self._desk.files.open_by_id("convolve_a_batch")
        self.expect_complete()
        assert self._workspace.scenario.id == "convolve_a_batch"
        assert "one_key_for_the_batch" in self._workspace.edited

    # -- what a user has: eyes, hands, patience ---------------------------------------------

    @property
    def snapshot(self) -> Snapshot | None:
        return self._session.snapshot

    def expect_complete(self) -> None:
        self.wait("a complete result", lambda: self.snapshot is not None and self.snapshot.complete)

    def shapes(self) -> list[tuple[int, ...]]:
        reports = self.snapshot.reports if self.snapshot else ()
        return [picture.shape for report in reports for picture in (report.pictures or ())[:1]]

    def end_focus(self) -> None:
        self.keys("Escape")
        self.wait("no focus", lambda: self._session.marks().focus is None)

    def visible_panes(self) -> list[int]:
        return [pane.number for pane in self._window.area.panes if pane.isVisible()]

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        point = widget.mapToGlobal(at or widget.rect().center())
        self.xdotool("mousemove", str(point.x()), str(point.y()), "click", "1")

    def wheel_down(self, widget: QWidget) -> None:
        point = widget.mapToGlobal(widget.rect().center())
        self.xdotool("mousemove", str(point.x()), str(point.y()), "click", "5")

    def keys(self, chord: str) -> None:
        """Press `chord`; F1 to F10 by their codes, because newer keymaps let xdotool press Alt with their names."""
        self.xdotool("key", re.sub(r"\bF(\d0?)$", lambda key: str(66 + int(key[1])), chord))

    def type(self, text: str) -> None:
        """Type `text`; Return for a new line and Tab are keys of their own to xdotool."""
        for part in re.split(r"([\n\t])", text):
            if part in ("\n", "\t"):
                self.keys({"\n": "Return", "\t": "Tab"}[part])
            elif part:
                self.xdotool("type", "--delay", "15", part)

    def write(self, place: str, text: str) -> None:
        """Type `text` into the code, where the key `place` leads."""
        self.click(self._window.code)
        self.keys(place)
        self.type(text)

    def undo_to(self, source: str) -> None:
        while self._workspace.source != source:
            self.keys("ctrl+z")

    def xdotool(self, *words: str) -> None:
        process = subprocess.Popen(["xdotool", *words])
        self.wait(f"xdotool {words[0]}", lambda: process.poll() is not None)
        assert process.returncode == 0
        # The X server may deliver a little later than xdotool ends.
        settle = QElapsedTimer()
        settle.start()
        self.wait("the event", lambda: settle.elapsed() > 60)

    def wait_until_still(self, what: str, where: Callable[[], object]) -> None:
        """Wait until `where` has been the same for a while, as a user does before a click."""
        seen, since = where(), QElapsedTimer()
        since.start()

        def is_still() -> bool:
            nonlocal seen
            if (now := where()) != seen:
                seen = now
                since.restart()
            return since.elapsed() > STILL_MS

        self.wait(f"{what} to stand still", is_still)

    def wait(self, what: str, ready: Callable[[], bool]) -> None:
        clock = QElapsedTimer()
        clock.start()
        while not ready():
            QTest.qWait(WAKE_MS)
            assert clock.elapsed() < PATIENCE_MS, f"waited in vain for {what}"


def main(drive: type[Drive] = Drive) -> int:
    """Open the window as ``jax-explorer`` does, with a user who acts as `drive` says."""
    rest = app.rest

    def rest_and_go(window: MainWindow, session: Session, desk: Desk, **options: Any) -> Iterator[None]:
        yield from rest(window, session, desk, **options)
        window.activateWindow()
        subprocess.run(["xdotool", "windowfocus", "--sync", str(int(window.winId()))], check=True)
        # In the event loop, where a user is too.
        QTimer.singleShot(0, drive(window, session, desk).go_or_die)

    app.rest = rest_and_go
    return app.main("one_key_for_the_batch")


if __name__ == "__main__":
    sys.exit(main())
