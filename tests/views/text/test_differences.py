"""Two variants side by side: the lines of the jaxprs and of the functions that only one has."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QSplitter
from pytestqt.qtbot import QtBot

from explorer.messages import Form, Program, Report, Snapshot, Variant, original_name
from tests.views.made import hold, put_up
from views.code.code_view import CodeView
from views.program.program_view import ProgramView
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
        ("", SIN, set(), {0, 1, 2, 3}),
    ],
    ids=[
        "equal", "one equation more", "one less", "other shapes", "another number", "renamed", "nothing yet",
    ],
)  # fmt: skip
def test_lines_differ_by_what_they_do_and_not_by_what_variables_are_called(
    first: str, second: str, only_first: set[int], only_second: set[int]
) -> None:
    assert only_in_one(first, second)[:2] == (only_first, only_second)


def test_functions_differ_by_their_lines_and_not_by_their_names() -> None:
    shared = ["def shared(x, key):", "    return f(x, key)"]
    split = ["def split(x, key):", "    keys = split(key)", "    return f(x, key)"]
    assert only_in_one_function(shared, split)[:2] == (set(), {1})


STABLEHLO = """module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<3xf32>
    %1 = call @_normal_1(%0) : (tensor<3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}"""
HLO = """HloModule jit_f, is_scheduled=true

FileNames
1 "code.py"

FileLocations
1 {file_name_id=1 function_name_id=1 line=2}

ENTRY %main.2 (x.1: f32[3]) -> f32[3] {
  %x.1 = f32[3]{0} parameter(0)
  ROOT %sin.4 = f32[3]{0} sine(%x.1), metadata={op_name="jit(f)/{sin}" stack_frame_id=2}
}"""


@pytest.mark.parametrize(
    ("form", "first", "changes", "only_first", "only_second"),
    [
        ("stablehlo", STABLEHLO, {"jit_f": "jit_g", "%1": "%7", "_normal_1": "_normal_4"}, set(), set()),
        ("stablehlo", STABLEHLO, {"sine": "cosine"}, {2}, {2}),
        ("hlo", HLO, {"jit_f": "jit_g", "sin.4": "sin.9", "x.1": "x", "line=2": "line=3"}, set(), set()),
        ("hlo", HLO, {"sine(": "cosine("}, {10}, {10}),
        ("hlo", HLO, {'1 "code.py"': '1 "code.py"\n2 "b.py"', "sine(": "abs("}, {10}, {11}),
    ],
    ids=["StableHLO numbers", "StableHLO operation", "HLO numbers", "HLO operation", "HLO tables"],
)  # fmt: skip
def test_compiled_programs_differ_by_their_operations(
    form: Form, first: str, changes: dict[str, str], only_first: set[int], only_second: set[int]
) -> None:
    second = first
    for old, new in changes.items():
        assert old in second
        second = second.replace(old, new)
    found = only_in_one(first, second, form)
    assert (found.first, found.second) == (only_first, only_second)


def test_long_texts_are_compared_where_they_differ_and_reported_where_that_is_too_much() -> None:
    same = [f"a{row} = f32[{row}]" for row in range(3 * MOST_COMPARED)]
    one = "\n".join(same)
    assert only_in_one(one, "\n".join([*same[:1500], "sin", *same[1500:]])) == (set(), {1500}, 0)
    others = "\n".join(line.replace("f32", "i32") for line in same)
    assert only_in_one(one, others) == (set(), set(), 3 * MOST_COMPARED)


def report(name: str, text: str) -> Report:
    return Report(name, "ok", program=Program("jaxpr", text))


def signs(view: ProgramView) -> list[dict[int, str]]:
    beside = view.findChild(QSplitter)
    texts = [beside.widget(place).findChild(LineText) for place in range(beside.count())]
    return [dict(text.marks.only_here) for text in texts if text is not None]


def too_many(view: ProgramView) -> str:
    """Return the text shown where there are too many differences."""
    labels = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    return "".join(words for words in labels if words.startswith("Differences are not marked"))


def test_two_programs_side_by_side_show_what_only_one_of_them_has(qtbot: QtBot) -> None:
    view = put_up(qtbot, ProgramView(), 900, 300)
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(report("one", COS_FIRST), report("other", SIN))))
    assert signs(view) == [{1: DIFFERS}, {}]
    marked = view.grab().toImage()
    view.show_snapshot(Snapshot(2, "cpu:0", True, reports=(report("one", COS_FIRST), report("other", COS_FIRST))))
    assert signs(view) == [{}, {}]
    assert view.grab().toImage() != marked
    view.show_snapshot(Snapshot(3, "cpu:0", True, reports=(report("one", COS_FIRST), report("other", SIN))))
    view.show_snapshot(Snapshot(4, "cpu:0", True, reports=(report("one", COS_FIRST),)))
    assert signs(view)[0] == {}, "there is nothing to compare with"


def test_optimised_programs_are_marked_too_and_what_is_too_long_is_reported(qtbot: QtBot) -> None:
    view = put_up(qtbot, ProgramView())

    def compared(one: str, other: str) -> list[dict[int, str]]:
        reports = tuple(
            Report(name, "ok", program=Program("hlo", text)) for name, text in (("one", one), ("other", other))
        )
        view.show_snapshot(Snapshot(1, "cpu:0", True, reports=reports))
        return signs(view)

    assert compared(HLO, HLO.replace("sine(", "abs(")) == [{8: DIFFERS}, {8: DIFFERS}], (
        "rows on screen, where tables are folded"
    )
    assert too_many(view) == ""
    many = [f"  %a.{row} = f32[{row}] parameter({row})" for row in range(2 * MOST_COMPARED)]
    assert compared("\n".join(many), "\n".join(many).replace("f32", "f16")) == [{}, {}]
    assert "2,000 lines" in too_many(view)
    view.show_snapshot(Snapshot(2, "cpu:0", True, reports=(report("one", SIN),)))
    assert too_many(view) == ""


def test_next_to_the_program_as_it_was_what_is_new_is_marked_as_added(qtbot: QtBot) -> None:
    view = hold(qtbot, ProgramView())
    view.show_snapshot(
        Snapshot(1, "cpu:0", True, reports=(report("one", COS_FIRST), report(original_name("one"), SIN)))
    )
    assert signs(view) == [{1: "+"}, {}]


def test_the_editor_marks_what_is_new_while_it_stands_next_to_the_code_as_it_was(qtbot: QtBot) -> None:
    view = hold(qtbot, CodeView())
    view.show_original("def one(key):\n    return draw(key)\n")
    view.set_source("def one(key):\n    key = split(key)\n    return draw(key)\n")
    both = Snapshot(1, "cpu:0", True, reports=(Report("one"), Report(original_name("one"))))
    view.show_snapshot(both)
    text = view.findChild(LineText)
    assert text.marks.only_here == {1: "+"}


def test_the_editor_marks_the_lines_in_which_two_functions_differ(qtbot: QtBot) -> None:
    view = hold(qtbot, CodeView())
    view.set_source(
        "def one(key):\n    return draw(key)\n\ndef other(key):\n    key = split(key)\n    return draw(key)\n"
    )
    variants = (Variant("one", 1, "", 2), Variant("other", 4, "", 6))
    both = Snapshot(1, "cpu:0", True, variants=variants, reports=(Report("one"), Report("other")))
    view.show_snapshot(both)
    text = view.findChild(LineText)
    assert text.marks.only_here == {4: DIFFERS}
    view.hold_back(True)
    view.show_snapshot(both)
    assert text.marks.only_here == {}
    view.hold_back(False)
    assert text.marks.only_here == {4: DIFFERS}
    view.show_snapshot(Snapshot(2, "cpu:0", True, variants=variants, reports=(Report("one"),)))
    assert text.marks.only_here == {}
