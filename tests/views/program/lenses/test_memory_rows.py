"""The rows of the memory lens, and the picture above them."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from explorer.messages import Focus, Marks
from explorer.messages.lenses.memory import Block, EagerArray, Kept, Library, MemoryLens
from tests.views.program.lenses.lens_answers import MEMORY, answer_with, opened, table_of
from views.parts.line_cost import costs_together
from views.program.lenses.memory_rows import MOST_ABOVE, VIEW, summary, table
from views.program.lenses.page import LensPage
from views.program.lenses.stacks import LensStack
from views.program.lenses.table_records import Stack, as_text
from views.program.lenses.view import Seen
from views.program.program_view import ProgramView


def stack_of(lens: MemoryLens, seen: Seen | None = None) -> Stack:
    return table(lens, seen or Seen()).stack


def picture_of(page: LensPage) -> LensStack:
    return page.findChild(LensStack)


def test_similar_arrays_share_a_row_and_what_needs_most_comes_first() -> None:
    assert as_text(table(MEMORY), []).splitlines() == [
        "\tarray\tmemory\tneeded until",
        "5\tin a library\t≤1 MiB",
        "\tat the peak\t7.1 KiB",
        "3\t2 × f32[512] residual tanh\t4 KiB\tline 3",
        "\t2 × f32[256] params argument\t2 KiB\tthe end",
        "5\tf32[256] temporary mul\t1 KiB\tline 6",
        "\tat other times",
        "6\tf32[256] output sub\t1 KiB\tthe end",
    ]


def test_the_sentences_name_the_peak_and_how_each_number_is_known() -> None:
    library, peak, taken, left_out, source = (each.text for each in summary(MEMORY))
    assert peak == (
        "Peak: 7.1 KiB live at line 5: residuals of line 3: 2 (4 KiB), arguments: 2 (2 KiB), "
        "temporaries of line 5: 1 (1 KiB)."
    )
    assert taken == "The call takes 9 KiB from the system: arguments 2 KiB, outputs 1 KiB, temporaries 6 KiB."
    assert "line 5 in memory of its own" in library
    others = " ".join(each.text for each in summary(msgspec.structs.replace(MEMORY, devices=8, products=True)))
    assert "one of 8 devices" in others
    assert "matrix products" in others
    assert "3, at most 100 B" in left_out
    assert "buffer assignment" in source


def test_a_higher_peak_without_jit_is_told_with_its_lines() -> None:
    arrays = (EagerArray("f32[4096]", 16384, 4), EagerArray("f32[4096]", 16384, 4), EagerArray("f32[2]", 8, 3))
    lens = msgspec.structs.replace(MEMORY, eager=arrays, library=None)
    assert as_text(table(lens), []).splitlines()[1:5] == [
        "\twithout jit, at its peak\t34 KiB",
        "4\t2 × f32[4096]\t32 KiB",
        "3\tf32[2]\t8 B",
        "\tunder jit, at the peak\t7.1 KiB",
    ]
    words = "Without jit, one call had at least 34 KiB in memory: f32[4096] of line 4, f32[2] of line 3."
    assert words in " ".join(each.text for each in summary(lens))
    costs = table(lens).costs
    assert {line: cost.text for line, cost in costs.items()} == {3: "8 B", 4: "32 KiB"}
    assert costs[4].share * lens.eager_bytes == 32768
    less = msgspec.structs.replace(MEMORY, eager=arrays[2:])
    assert "jit" not in " ".join(each.text for each in summary(less))


def test_arrays_without_elements_have_no_bars() -> None:
    empty = Block("argument", "f32[0]", 0, ((0, 0),), "x", "", 3)
    found = table(MemoryLens(blocks=(empty,), live=(0,), lines=(3,)))
    assert (len(found.rows), found.costs) == (2, {})


def test_without_an_output_there_is_the_call_without_jit_alone() -> None:
    lens = MemoryLens(live=(0,), lines=(0,), eager=(EagerArray("f32[8]", 32, 4),))
    assert as_text(table(lens), []).splitlines()[1:] == ["\twithout jit, at its peak\t32 B", "4\tf32[8]\t32 B"]
    assert [each.text for each in summary(lens)] == [
        "Without jit, one call had at least 32 B in memory: f32[8] of line 4.",
        "Under jit nothing is computed: it returns no array.",
    ]
    assert table(lens).costs[4].text == "32 B"
    assert table(MemoryLens(live=(0,), lines=(0,))).rows == ()


def test_what_is_held_between_calls_has_rows_and_a_sentence_where_a_call_adds_to_it() -> None:
    held = msgspec.structs.replace(MEMORY, kept=(Kept("history", 6, 2, 3072, 1024), Kept("table", 4, 1, 1024, 1024)))
    assert as_text(table(held), []).splitlines()[-3:] == [
        "\theld between calls\t4 KiB",
        "6\thistory 2 arrays\t3 KiB\t+2 KiB by one call",
        "4\ttable 1 array\t1 KiB",
    ]
    assert "One call left 2 KiB more in global names: history." in [each.text for each in summary(held)]
    assert "not known" in summary(held)[-2].text
    held = msgspec.structs.replace(MEMORY, kept=(), eager=())
    assert "no new arrays" in summary(held)[-2].text
    assert all("held" not in each.text for row in table(held).rows for each in row.cells)


def test_two_variants_have_one_scale_and_a_sentence_that_compares_them() -> None:
    less = msgspec.structs.replace(MEMORY, temporary_bytes=1536, left_out=0, library=None)
    seen = Seen("small", shared=VIEW.shared([MEMORY, less]))
    assert {stack_of(each, seen).top for each in (MEMORY, less)} == {9216 * MOST_ABOVE}
    assert [text for _, text in stack_of(MEMORY, seen).levels] == [
        "taken from the system: 9 KiB",
        "with a library's memory, at most: 1.01 MiB",
    ]
    assert "small takes 0.5× the memory of the other: 4.5 KiB, not 9 KiB." in [
        each.text for each in summary(less, seen)
    ]


def test_the_editor_gets_the_bytes_at_the_peak_on_the_scale_of_the_picture() -> None:
    alone = msgspec.structs.replace(MEMORY, library=None)
    costs = table(alone).costs
    assert {line: (cost.text, cost.share * 9216) for line, cost in costs.items()} == {
        3: ("4 KiB", 4096),
        5: ("1 KiB", 1024),
    }
    assert costs[3].tip == "4 KiB of the 7.1 KiB at the peak"
    assert stack_of(alone).top == 9216
    larger = Seen("f", shared=(alone, msgspec.structs.replace(alone, output_bytes=10240)))
    both = costs_together([costs, table(alone, larger).costs])
    assert (both[3].text, both[3].share * 9216) == ("4 KiB | 4 KiB", 4096)
    assert table(alone, larger).costs[3].share == 4096 / 18432
    of_library = table(MEMORY).costs[5]
    large = msgspec.structs.replace(MEMORY, library=Library(1 << 20, 5, "f32[512,256]"))
    assert as_text(table(large), []).splitlines()[1] == "5\tin a library arrays such as f32[512,256]\t≤1 MiB"
    assert (of_library.text, of_library.most) == ("≤1 MiB", (1024 + (1 << 20)) / (9216 + (1 << 20)))
    assert of_library.tip.endswith("line 5 in memory of its own, which is not shown: between 0 and 1 MiB.")


def test_nothing_in_the_stack_overlaps_and_its_height_is_what_is_live() -> None:
    stack = stack_of(MEMORY)
    for moment in range(stack.moments):
        held = sorted(
            (bottom, bottom + strip.height)
            for strip in stack.strips
            for first, last, bottom in strip.steps
            if first <= moment <= last
        )
        edges = [0.0, *(top for _, top in held)]
        assert [bottom for bottom, _ in held] == edges[:-1]
        assert 0 <= MEMORY.live[moment] - edges[-1] <= MEMORY.left_out_bytes


@pytest.mark.rest
def test_a_click_on_an_array_goes_to_its_line_and_a_line_lights_up_its_arrays(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(MEMORY))
    view.resize(600, 700)
    picture = picture_of(page)
    spots = (QPoint(x, y) for y in range(0, picture.height(), 4) for x in range(0, picture.width(), 4))
    spot = next(each for each in spots if (strip := picture.strip_at(QPointF(each))) and strip.line == 3)
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=spot)
    assert asked.args == [Focus("line", 3, "f")]
    before = picture.grab().toImage()
    view.show_marks(Marks(focus=Focus("line", 6, "f"), lines=(6,)))
    assert table_of(page).lit == {6}
    assert picture.grab().toImage() != before


def test_the_whole_picture_has_the_stack_above_the_rows(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(MEMORY))
    drawing = page.drawing()
    assert drawing.size.height() > table_of(page).whole_size().height()
    for width in (10, 120, 900):
        picture_of(page).resize(width, 60)
        picture_of(page).grab()
    assert b"residual" in drawing.svg()


def test_a_lens_without_blocks_has_no_picture(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(MemoryLens(sentence="Not known on this device.")))
    assert not picture_of(page).isVisible()
    assert picture_of(page).strip_at(QRectF(page.rect()).center()) is None
