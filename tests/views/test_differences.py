"""Two variants side by side: which lines of the jaxprs and of the functions stand in one of them only."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from explorer.messages import Program, Report, Snapshot, Variant, name_as_it_was
from views.code_view import CodeView
from views.program_view import ProgramView
from views.text.differences import DIFFERS, MOST_COMPARED, only_in_one, only_in_one_function
from views.text.line_text import LineText

SIN = "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n    c:f32[3] = mul b 2.0:f32[]\n  in (c,) }"
COS_FIRST = (
    "{ lambda ; a:f32[3]. let\n    b:f32[3] = cos a\n    c:f32[3] = sin b\n    d:f32[3] = mul c 2.0:f32[]\n  in (d,) }"
)


@pytest.mark.parametrize(
    ("first", "second", "only_first", "only_second"),
    [
        (SIN, SIN, set(), set()),
        (SIN, COS_FIRST, set(), {1}),
        (COS_FIRST, SIN, {1}, set()),
        (SIN, SIN.replace("f32[3]", "f32[4]"), {0, 1, 2}, {0, 1, 2}),
        (SIN, SIN.replace("2.0", "3.0"), {2}, {2}),
        ("c:f32[] = jit[name=c] b", "d:f32[] = jit[name=c] b", set(), set()),
        ("", SIN, {0}, {0, 1, 2, 3}),
    ],
    ids=[
        "equal", "one equation more", "one less", "other shapes", "another number", "renamed", "nothing yet",
    ],
)  # fmt: skip
def test_lines_differ_by_what_they_do_and_not_by_what_variables_are_called(
    first: str, second: str, only_first: set[int], only_second: set[int]
) -> None:
    assert only_in_one(first, second) == (only_first, only_second)


def test_functions_differ_by_their_lines_and_not_by_their_names() -> None:
    shared = ["def shared(x, key):", "    return f(x, key)"]
    split = ["def split(x, key):", "    keys = split(key)", "    return f(x, key)"]
    assert only_in_one_function(shared, split) == (set(), {1})


def test_texts_that_are_too_long_to_compare_are_not_marked() -> None:
    assert only_in_one("a\n" * MOST_COMPARED, "b") == (set(), set())


def report(name: str, text: str) -> Report:
    return Report(name, "ok", program=Program("jaxpr", text))


def signs(view: ProgramView) -> list[dict[int, str]]:
    return [dict(half._text._only_here) for half in view._halves]


def test_two_programs_side_by_side_show_what_only_one_of_them_has(qtbot: QtBot) -> None:
    view = ProgramView()
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(report("one", COS_FIRST), report("other", SIN))))
    assert signs(view) == [{1: DIFFERS}, {}]
    marked = view.grab().toImage()
    view.show_snapshot(Snapshot(2, "cpu:0", True, reports=(report("one", COS_FIRST), report("other", COS_FIRST))))
    assert signs(view) == [{}, {}]
    assert view.grab().toImage() != marked
    view.show_snapshot(Snapshot(3, "cpu:0", True, reports=(report("one", COS_FIRST), report("other", SIN))))
    view.show_snapshot(Snapshot(4, "cpu:0", True, reports=(report("one", COS_FIRST),)))
    assert signs(view)[0] == {}, "there is nothing to compare with"


def test_beside_the_program_as_it_was_what_is_new_is_marked_as_added(qtbot: QtBot) -> None:
    view = ProgramView()
    qtbot.addWidget(view)
    view.show_snapshot(
        Snapshot(1, "cpu:0", True, reports=(report("one", COS_FIRST), report(name_as_it_was("one"), SIN)))
    )
    assert signs(view) == [{1: "+"}, {}]


def test_the_editor_marks_what_is_new_while_it_stands_beside_the_code_as_it_was(qtbot: QtBot) -> None:
    view = CodeView()
    qtbot.addWidget(view)
    view.show_original("def one(key):\n    return draw(key)\n")
    view.set_source("def one(key):\n    key = split(key)\n    return draw(key)\n")
    both = Snapshot(1, "cpu:0", True, reports=(Report("one"), Report(name_as_it_was("one"))))
    view.show_snapshot(both)
    text = view.findChild(LineText)
    assert text is not None
    assert text._only_here == {1: "+"}


def test_the_editor_marks_the_lines_in_which_two_functions_differ(qtbot: QtBot) -> None:
    view = CodeView()
    qtbot.addWidget(view)
    view.set_source(
        "def one(key):\n    return draw(key)\n\ndef other(key):\n    key = split(key)\n    return draw(key)\n"
    )
    variants = (Variant("one", 1, "", 2), Variant("other", 4, "", 6))
    both = Snapshot(1, "cpu:0", True, variants=variants, reports=(Report("one"), Report("other")))
    view.show_snapshot(both)
    text = view.findChild(LineText)
    assert text is not None
    assert text._only_here == {4: DIFFERS}
    view.hold_back(True)
    view.show_snapshot(both)
    assert text._only_here == {}
    view.hold_back(False)
    assert text._only_here == {4: DIFFERS}
    view.show_snapshot(Snapshot(2, "cpu:0", True, variants=variants, reports=(Report("one"),)))
    assert text._only_here == {}
