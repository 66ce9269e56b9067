"""The list of findings says what there is, in order of weight, and leads to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Array, Failure, Finding, Focus, KeyGraph, Marks, Report, Snapshot, Span, name_as_it_was
from views.findings.finding_rows import MARKED_ROLE
from views.findings.findings_view import FindingsView
from views.theme import DARK, LIGHT, PROJECTOR

BUG = Finding("shared-noise", "bug", "32 examples share one draw.", (Span(13, 4, 13, 9), Span(18, 0, 18, 5)), axis=0)
NOTE = Finding("unused-key", "note", "A child of this split was never used.", (Span(22, 0, 22, 5),), count=3)
FAILURE = Failure("TypeError", "no such thing", Span(9, 4, 9, 8), "It is missing. Add it.", "Traceback")
NO_KEYS = KeyGraph(
    data=Array.of([], "u4"),
    implementation=Array.of([], "u1"),
    implementations=(),
    parent=Array.of([], "i4"),
    origin=Array.of([], "u1"),
    index=Array.of([], "i8"),
    site=Array.of([], "i4"),
    state=Array.of([], "u1"),
    times=Array.of([], "i4"),
    draw_key=Array.of([], "i4"),
    draw_site=Array.of([], "i4"),
    draw_example=Array.of([], "i4"),
    draw_serves=Array.of([], "i4"),
    split_key=Array.of([], "i4"),
    split_site=Array.of([], "i4"),
    other_parents=Array.of([], "i4"),
)


def snapshot(*reports: Report, complete: bool = True, failure: Failure | None = None) -> Snapshot:
    return Snapshot(1, "cpu:0", complete, reports=reports, failure=failure)


def report(name: str, *findings: Finding) -> Report:
    return Report(name, "ok", findings=findings)


@pytest.fixture
def view(qtbot: QtBot) -> FindingsView:
    made = FindingsView()
    qtbot.addWidget(made)
    made.resize(690, 160)
    made.show()
    return made


def rows(view: FindingsView) -> QListWidget:
    return view.findChild(QListWidget)


def spoken(view: FindingsView) -> list[str]:
    """Return what a screen reader says of each row."""
    return [rows(view).item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(rows(view).count())]


CASES = [
    pytest.param(
        snapshot(report("shared", BUG), report("split")),
        [
            "Bug, 32 examples share one draw., shared, line 13",
            "Keys: clean, No key was used twice, and no noise is shared., split",
        ],
        "1 bug",
        id="a bug beside a clean variant",
    ),
    pytest.param(
        snapshot(report("a", NOTE, BUG), report("b", BUG)),
        [
            "Bug, 32 examples share one draw., a, line 13",
            "Bug, 32 examples share one draw., b, line 13",
            "Note, A child of this split was never used. (3 times), a, line 22",
        ],
        "2 bugs, 1 note",
        id="bugs before notes",
    ),
    pytest.param(
        snapshot(report("a", NOTE), Report("b", "error", failure=FAILURE, findings=())),
        [
            "Error, TypeError: no such thing\nIt is missing. Add it., b, line 9",
            "Note, A child of this split was never used. (3 times), a, line 22",
        ],
        "1 error, 1 note",
        id="failures before all",
    ),
    pytest.param(
        snapshot(failure=Failure("SyntaxError", "invalid syntax", Span(3, 0, 3, 1))),
        ["Error, SyntaxError: invalid syntax, line 3"],
        "1 error",
        id="code that does not compile",
    ),
    pytest.param(
        snapshot(Report("a", "ok", keys=NO_KEYS, findings=())),
        ["Keys: clean, It uses no random keys., a"],
        "none",
        id="no keys at all",
    ),
    pytest.param(
        snapshot(Report("a", "stopped")),
        ["Note, It was stopped before it had finished., a"],
        "1 note",
        id="stopped",
    ),
    pytest.param(
        snapshot(),
        ["Note, There is nothing to run. A variant is a function whose arguments inputs returns."],
        "1 note",
        id="no variants",
    ),
]


@pytest.mark.parametrize(("shown", "said", "verdict"), CASES)
def test_rows_and_verdict(view: FindingsView, qtbot: QtBot, shown: Snapshot, said: list[str], verdict: str) -> None:
    with qtbot.waitSignal(view.verdict_changed) as told:
        view.show_snapshot(shown)
    assert spoken(view) == said
    assert told.args == [verdict]
    view.show_snapshot(shown)
    assert spoken(view) == said


def test_the_bugs_of_the_original_code_are_counted_apart_and_stand_below(view: FindingsView, qtbot: QtBot) -> None:
    bug = Finding("key-reuse", "bug", "Drawn twice.", (Span(3, 0, 3, 4),))
    with qtbot.waitSignal(view.verdict_changed) as told:
        view.show_snapshot(snapshot(report("f"), report(name_as_it_was("f"), bug)))
    assert told.args == ["none (as it was: 1 bug)"]
    assert [each.partition(",")[0] for each in spoken(view)] == ["Keys: clean", "Bug"]
    with qtbot.waitSignal(view.verdict_changed) as told:
        view.show_snapshot(snapshot(report("f", bug, bug), report(name_as_it_was("f"))))
    assert told.args == ["2 bugs (as it was: none)"]


def test_before_the_first_run_a_sentence_stands_there(view: FindingsView) -> None:
    assert [label.text() for label in view.findChildren(QLabel) if label.isVisible()] == [
        "Findings appear here after the first run."
    ]
    assert not rows(view).isVisible()


def test_what_still_runs_says_so_and_leaves_the_verdict(view: FindingsView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(report("a", BUG)))
    with qtbot.assertNotEmitted(view.verdict_changed):
        view.show_snapshot(snapshot(Report("a"), complete=False))
    assert spoken(view) == ["Running, It has not finished yet., a"]


def test_a_click_asks_for_the_finding(view: FindingsView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(report("a", NOTE, BUG)))
    place = rows(view).visualItemRect(rows(view).item(0)).center()
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(rows(view).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.args == [Focus("finding", 1, "a")]


def test_the_return_key_asks_for_the_row_that_the_arrows_reached(view: FindingsView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(report("a", BUG), report("b", NOTE)))
    qtbot.keyClick(rows(view), Qt.Key.Key_Down)
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.keyClick(rows(view), Qt.Key.Key_Return)
    assert asked.args == [Focus("finding", 0, "b")]


@pytest.mark.parametrize(
    ("shown", "focus"),
    [
        (snapshot(Report("a", "error", failure=FAILURE)), Focus("line", 9, "a")),
        (snapshot(failure=FAILURE), Focus("line", 9, "")),
    ],
)
def test_a_failure_leads_to_its_line(view: FindingsView, qtbot: QtBot, shown: Snapshot, focus: Focus) -> None:
    view.show_snapshot(shown)
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.keyClick(rows(view), Qt.Key.Key_Return)
    assert asked.args == [focus]


@pytest.mark.parametrize("shown", [snapshot(report("a")), snapshot(failure=Failure("OSError", "gone"))])
def test_a_row_without_a_place_leads_nowhere(view: FindingsView, qtbot: QtBot, shown: Snapshot) -> None:
    view.show_snapshot(shown)
    with qtbot.assertNotEmitted(view.focus_requested):
        qtbot.keyClick(rows(view), Qt.Key.Key_Return)


def test_marks_light_up_their_rows_and_outlive_a_new_snapshot(view: FindingsView) -> None:
    view.show_snapshot(snapshot(report("a", BUG, NOTE), report("b", BUG)))
    view.show_marks(Marks(findings={"a": frozenset({1}), "b": frozenset({0})}))
    assert marked(view) == [False, True, True]
    view.show_snapshot(snapshot(report("b", BUG)))
    assert marked(view) == [True]
    view.show_marks(Marks())
    assert marked(view) == [False]


def marked(view: FindingsView) -> list[bool]:
    return [rows(view).item(row).data(MARKED_ROLE) for row in range(rows(view).count())]


def test_a_clean_row_is_never_marked(view: FindingsView) -> None:
    view.show_snapshot(snapshot(report("a")))
    view.show_marks(Marks(findings={"a": frozenset({0})}))
    assert marked(view) == [False]


def test_a_long_sentence_makes_its_row_higher_where_there_is_less_room(view: FindingsView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(report("a", replace_message(BUG, "word " * 60), NOTE)))

    def height() -> int:
        return rows(view).visualItemRect(rows(view).item(0)).height()

    wide = height()
    assert wide > rows(view).visualItemRect(rows(view).item(1)).height()
    view.resize(350, 160)
    qtbot.waitUntil(lambda: height() > wide)


def replace_message(finding: Finding, message: str) -> Finding:
    return Finding(finding.kind, finding.level, message, finding.spans)


def test_every_theme_draws_every_kind_of_row(view: FindingsView) -> None:
    view.show_snapshot(
        snapshot(report("a", BUG, NOTE), report("b"), Report("c"), Report("d", failure=FAILURE), complete=False)
    )
    seen = []
    for theme in (LIGHT, DARK, PROJECTOR, replace(LIGHT, scale=1.5)):
        view.apply_theme(theme)
        seen.append(rows(view).grab().toImage())
    assert all(image != other for place, image in enumerate(seen) for other in seen[:place])


def test_tool_tips_hold_the_traceback_and_all_lines(view: FindingsView) -> None:
    view.show_snapshot(snapshot(report("a", BUG), Report("b", "error", failure=FAILURE)))
    assert rows(view).item(0).toolTip().endswith("Traceback")
    assert rows(view).item(1).toolTip().endswith("Lines 13, 18")


def test_counts_of_an_older_state_are_not_said_while_the_code_runs_anew(view: FindingsView, qtbot: QtBot) -> None:
    told: list[str] = []
    view.verdict_changed.connect(told.append)
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("f", "ok", findings=()),)))
    with qtbot.waitSignal(view.verdict_changed):
        view.show_stale(True)
    view.show_stale(False)
    assert told == ["none", "running…", "none"]
