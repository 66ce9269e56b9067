"""The list of findings is ordered by severity, and its rows lead to the code."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QListWidget
from pytestqt.qtbot import QtBot

from explorer.messages import (
    PARTS,
    Coverage,
    Extent,
    Failure,
    Finding,
    Focus,
    Marks,
    Part,
    Report,
    Snapshot,
    Span,
    original_name,
)
from explorer.text.text import verbatim
from tests.views.made import heard, put_up, snapshot
from views.findings.finding_rows import MARKED_ROLE, ROW_ROLE
from views.findings.findings_view import FindingsView

BUG = Finding("shared-noise", "bug", "32 examples share one draw.", (Span(13, 4, 13, 9), Span(18, 0, 18, 5)), axis=0)
NOTE = Finding("unused-key", "note", verbatim("A child of this split was never used."), (Span(22, 0, 22, 5),), count=3)
FAILURE = Failure("TypeError", "no such thing", Span(9, 4, 9, 8), "It is missing. Add it.", "Traceback")


def look(part: Part, extent: Extent = "whole", says: str = "clean") -> Coverage:
    return Coverage(part, extent, part, says, sentence=f"All is well with {part}.")


ALL = tuple(map(look, PARTS))


def report(name: str, *findings: Finding) -> Report:
    worst = min((each.level for each in findings), key=("bug", "warning", "note").index, default=None)
    return Report(name, "ok", findings=findings, coverage=(Coverage("keys", "whole", "keys", "clean", worst), *ALL[1:]))


@pytest.fixture
def view(qtbot: QtBot) -> FindingsView:
    return put_up(qtbot, FindingsView(), 690, 160)


def rows(view: FindingsView) -> QListWidget:
    return view.findChild(QListWidget)


def spoken(view: FindingsView) -> list[str]:
    """Return the accessible text of each row."""
    return [rows(view).item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(rows(view).count())]


CASES = {
    "a bug next to a clean variant": (
        snapshot(report("shared", BUG), report("split")),
        [
            "Bug, 32 examples share one draw., shared, line 13",
            "Tracing: clean · Values: clean, shared",
            "Keys: clean · Tracing: clean · Values: clean, split",
        ],
        "1 bug",
    ),
    "bugs before notes": (
        snapshot(report("a", NOTE, BUG), report("b", BUG)),
        [
            "Bug, 32 examples share one draw., a, line 13",
            "Bug, 32 examples share one draw., b, line 13",
            "Note, A child of this split was never used. (3 times), a, line 22",
            "Tracing: clean · Values: clean, a",
            "Tracing: clean · Values: clean, b",
        ],
        "2 bugs, 1 note",
    ),
    "failures before all": (
        snapshot(report("a", NOTE), Report("b", "error", failure=FAILURE, findings=())),
        [
            "Error, TypeError: explained below the code, b, line 9",
            "Note, A child of this split was never used. (3 times), a, line 22",
            "Tracing: clean · Values: clean, a",
        ],
        "1 error, 1 note",
    ),
    "code that does not compile": (
        snapshot(failure=Failure("SyntaxError", "invalid syntax", Span(3, 0, 3, 1))),
        ["Error, SyntaxError: invalid syntax, line 3"],
        "1 error",
    ),
    "all is clean": (
        snapshot(report("a")),
        ["Keys: clean · Tracing: clean · Values: clean, a"],
        "none in keys, tracing, values",
    ),
    "only the keys were looked at": (
        snapshot(Report("a", "ok", findings=(), coverage=ALL[:1])),
        ["Keys: clean, a"],
        "none in keys",
    ),
    "the values of one of two": (
        snapshot(report("a"), Report("b", "ok", findings=(), coverage=ALL[:2])),
        ["Keys: clean · Tracing: clean · Values: clean, a", "Keys: clean · Tracing: clean, b"],
        "none in keys, tracing",
    ),
    "a look that took too long": (
        snapshot(Report("a", "ok", findings=(), coverage=(*ALL[:2], look("values", "timeout", "not checked")))),
        ["Values: not checked, a", "Keys: clean · Tracing: clean, a"],
        "none in keys, tracing; not checked: values",
    ),
    "a look that broke down, and a bug": (
        snapshot(Report("a", "ok", findings=(BUG,), coverage=(look("tracing", "failed", "not checked"),))),
        ["Bug, 32 examples share one draw., a, line 13", "Tracing: not checked, a"],
        "1 bug; not checked: tracing",
    ),
    "stopped": (snapshot(Report("a", "stopped")), ["Note, The run was stopped before it finished., a"], "1 note"),
    "no variants": (
        snapshot(),
        ["Note, There is nothing to run. A variant is a function that takes the arguments returned by inputs."],
        "1 note",
    ),
}


@pytest.mark.parametrize(("shown", "read_aloud", "verdict"), CASES.values(), ids=CASES)
def test_rows_and_verdict(
    view: FindingsView, qtbot: QtBot, shown: Snapshot, read_aloud: list[str], verdict: str
) -> None:
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(shown)
    assert spoken(view) == read_aloud
    assert emitted.args == [verdict]
    view.show_snapshot(shown)
    assert spoken(view) == read_aloud


def test_the_bugs_of_the_original_code_are_counted_separately_and_stand_below(view: FindingsView, qtbot: QtBot) -> None:
    bug = Finding("key-reuse", "bug", "Drawn twice.", (Span(3, 0, 3, 4),))
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(snapshot(report("f"), report(original_name("f"), bug)))
    assert emitted.args == ["none in keys, tracing, values (as it was: 1 bug)"]
    assert [each.partition(",")[0] for each in spoken(view)] == [
        "Keys: clean · Tracing: clean · Values: clean",
        "Bug",
        "Tracing: clean · Values: clean",
    ]
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(snapshot(report("f", bug, bug), report(original_name("f"))))
    assert emitted.args == ["2 bugs (as it was: none in keys, tracing, values)"]


def test_what_comes_later_is_not_reported_before_it_is_there(view: FindingsView) -> None:
    verdicts = heard(view.verdict_changed)
    for parts in (1, 2, 3):
        view.show_snapshot(snapshot(Report("a", "ok", findings=(), coverage=ALL[:parts]), complete=False))
    view.show_snapshot(snapshot(Report("a", "ok", findings=(), coverage=ALL)))
    assert verdicts == ["none so far", "none in keys, tracing, values"]


# -- the lesson of a finding ------------------------------------------------------------------

TAUGHT = msgspec.structs.replace(BUG, lesson="one_key")
TITLES = {"one_key": "One key", "split_tree": "The tree"}


def test_a_finding_leads_to_its_lesson_unless_that_is_not_there(view: FindingsView) -> None:
    view.show_snapshot(snapshot(Report("a", "ok", findings=(TAUGHT, NOTE))))
    emitted = "Bug, 32 examples share one draw., a, line 13"
    assert spoken(view)[0] == emitted
    view.show_lessons(TITLES)
    assert spoken(view)[0] == f"{emitted}, Lesson: One key"
    view.show_lessons({})
    assert spoken(view)[0] == emitted


def test_a_click_on_the_level_asks_what_the_kind_of_finding_is(view: FindingsView, qtbot: QtBot) -> None:
    view.resize(900, 300)
    view.show_snapshot(snapshot(Report("a", "ok", findings=(TAUGHT,))))
    delegate, item = rows(view).itemDelegate(), rows(view).item(0)
    rect, row = rows(view).visualItemRect(item), item.data(ROW_ROLE)
    points = [QPoint(x, y) for x in range(0, rect.width(), 5) for y in range(rect.top(), rect.bottom(), 3)]
    on_level = [point for point in points if delegate.is_on_level(rect, row, point)]
    with qtbot.waitSignal(view.check_wanted) as asked, qtbot.assertNotEmitted(view.focus_requested):
        qtbot.mouseClick(rows(view).viewport(), Qt.MouseButton.LeftButton, pos=on_level[0])
    assert asked.args == [TAUGHT.kind]


@pytest.mark.parametrize("width", [900, 350])
def test_a_click_on_the_link_asks_for_the_lesson_and_for_nothing_else(
    view: FindingsView, qtbot: QtBot, width: int
) -> None:
    view.resize(width, 300)
    view.show_snapshot(snapshot(Report("a", "ok", findings=(TAUGHT,))))
    view.show_lessons(TITLES)
    delegate = rows(view).itemDelegate()
    rect = rows(view).visualItemRect(rows(view).item(0))
    row = rows(view).item(0).data(ROW_ROLE)
    points = [QPoint(x, y) for x in range(0, rect.width(), 5) for y in range(rect.top(), rect.bottom(), 3)]
    on_link = [point for point in points if delegate.is_on_link(rect, row, point)]
    assert on_link
    with qtbot.waitSignal(view.lesson_wanted) as asked, qtbot.assertNotEmitted(view.focus_requested):
        qtbot.mouseClick(rows(view).viewport(), Qt.MouseButton.LeftButton, pos=on_link[0])
    assert asked.args == ["one_key"]
    with qtbot.waitSignal(view.focus_requested), qtbot.assertNotEmitted(view.lesson_wanted):
        qtbot.mouseClick(rows(view).viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, rect.top() + 8))


def test_the_check_here_is_that_of_the_row_with_the_keyboard_else_of_the_selected_finding(
    view: FindingsView, qtbot: QtBot
) -> None:
    other = msgspec.structs.replace(NOTE, kind="key-reuse")
    view.show_snapshot(snapshot(Report("a", "ok", findings=(TAUGHT, other))))
    assert view.check_here() == ""
    view.show_marks(Marks(Focus("finding", 1, "a"), findings={"a": frozenset({0, 1})}))
    assert view.check_here() == "key-reuse"
    rows(view).setFocus()
    qtbot.waitUntil(rows(view).hasFocus)
    rows(view).setCurrentRow(0)
    assert view.check_here() == TAUGHT.kind


def test_before_the_first_run_a_sentence_stands_there(view: FindingsView) -> None:
    assert [label.text() for label in view.findChildren(QLabel) if label.isVisible()] == [
        "Findings appear here after the first run."
    ]
    assert not rows(view).isVisible()


def test_what_still_runs_says_so_and_leaves_the_verdict(view: FindingsView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(report("a", BUG)))
    with qtbot.assertNotEmitted(view.verdict_changed):
        view.show_snapshot(snapshot(Report("a"), complete=False))
    assert spoken(view) == ["Running, The run has not finished yet., a"]


def test_a_click_asks_for_the_finding_and_the_return_key_for_its_row(view: FindingsView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(report("a", NOTE, BUG)))
    place = rows(view).visualItemRect(rows(view).item(0)).center()
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(rows(view).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked.args == [Focus("finding", 1, "a")]
    view.show_snapshot(snapshot(report("a", BUG), report("b", NOTE)))
    qtbot.keyClick(rows(view), Qt.Key.Key_Down)
    with qtbot.waitSignal(view.focus_requested) as asked, qtbot.waitSignal(view.place_wanted) as line:
        qtbot.keyClick(rows(view), Qt.Key.Key_Return)
    assert (asked.args, line.args) == ([Focus("finding", 0, "b")], [22])


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
    assert marked(view) == [False, True, True, False, False]
    view.show_snapshot(snapshot(report("b", BUG)))
    assert marked(view) == [True, False]
    view.show_marks(Marks())
    assert marked(view) == [False, False]


def marked(view: FindingsView) -> list[bool]:
    return [rows(view).item(row).data(MARKED_ROLE) for row in range(rows(view).count())]


def test_a_clean_row_is_never_marked_and_says_in_its_tool_tip_what_clean_means(view: FindingsView) -> None:
    view.show_snapshot(snapshot(report("a")))
    view.show_marks(Marks(findings={"a": frozenset({0})}))
    assert marked(view) == [False]
    assert rows(view).item(0).toolTip().endswith("All is well with tracing.\nAll is well with values.")


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


def test_tool_tips_hold_the_traceback_and_all_lines(view: FindingsView) -> None:
    view.show_snapshot(snapshot(report("a", BUG), Report("b", "error", failure=FAILURE)))
    assert rows(view).item(0).toolTip().endswith("Traceback")
    assert rows(view).item(1).toolTip().endswith("Lines 13, 18")


def test_counts_of_an_older_state_are_not_reported_while_the_code_runs_anew(view: FindingsView, qtbot: QtBot) -> None:
    emitted = heard(view.verdict_changed)
    view.show_snapshot(snapshot(report("f", BUG)))
    with qtbot.waitSignal(view.verdict_changed):
        view.show_stale(True)
    view.show_stale(False)
    assert emitted == ["1 bug", "running…", "1 bug"]
