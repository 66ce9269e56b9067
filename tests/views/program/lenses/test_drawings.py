"""The grids of devices in a table, and the stack above one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from explorer.messages import Focus, Marks
from explorer.messages.lenses import Lens
from explorer.text.text import verbatim
from tests.views.program.lenses.lens_answers import DEVICES, GRADIENT, MEMORY, answer_with, offering, opened, table_of
from views.program.lenses import grids
from views.program.lenses.contents import MOST_ABOVE, contents, costs_together
from views.program.lenses.page import LensPage
from views.program.lenses.stacks import LensStack
from views.program.program_view import ProgramView
from views.theme import LIGHT


def picture_of(page: LensPage) -> LensStack:
    return page.findChild(LensStack)


def test_two_variants_have_one_scale_and_a_sentence_that_compares_them() -> None:
    less = replace(MEMORY, bytes=4608, table=replace(MEMORY.table, whole=9216.0))
    answers = [answer_with(MEMORY, name="memory"), answer_with(less, "g", name="memory")]
    reports = offering("memory", names="fg").reports
    first, second = (contents(report, answer, answers) for report, answer in zip(reports, answers, strict=True))
    assert {each.table.stack.top for each in (first, second)} == {9216 * MOST_ABOVE}
    assert second.table.costs[0].share == MEMORY.table.costs[0].share * 9216 / 1057792
    assert costs_together([first.table.costs, second.table.costs])[3].text == "4 KiB | 4 KiB"
    assert [each.text for each in second.summary] == [
        "Peak: 5 KiB live.",
        "g takes 0.5× the memory of the other: 4.5 KiB, not 9 KiB.",
        "The call takes 9 KiB.",
    ]
    longer = replace(GRADIENT, table=replace(GRADIENT.table, longest=2048.0))
    bars = contents(reports[0], answer_with(GRADIENT), [answer_with(GRADIENT), answer_with(longer, "g")]).table.rows
    assert [each.cells[1].bar for each in bars if each.cells[1].bar] == [0.5, 1 / 256]


def test_a_row_is_as_high_as_its_parts_need_and_what_comes_later_there_has_its_own_height(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(DEVICES, name="devices"))
    shown = table_of(page)
    heights = [shown.rowHeight(row) for row in range(shown.model().rowCount())]
    assert [each // heights[0] for each in heights] == [row.height for row in DEVICES.table.rows]
    rows = DEVICES.table.rows
    other = replace(DEVICES, table=replace(DEVICES.table, rows=(rows[2], *rows[:2], *rows[3:])))
    view.show_lenses((answer_with(other, name="devices"),))
    assert [shown.rowHeight(row) // heights[0] for row in range(5)] == [2, 1, 1, 2, 1]


def test_the_row_of_an_array_goes_to_the_line_that_made_it(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(DEVICES, name="devices"))
    shown = table_of(page)
    with qtbot.waitSignal(view.focus_requested) as asked:
        shown.clicked.emit(shown.model().index(2, 1))
    assert asked.args == [Focus("line", 3, "f")]
    view.show_marks(Marks(focus=Focus("line", 4, "f"), lines=(4,)))
    assert shown.lit == {3, 4}


def test_the_pointer_finds_the_share_of_each_device() -> None:
    grid = DEVICES.table.rows[3].cells[2].grid
    box = QRectF(10, 20, 80, 40)
    found = [grids.tip(box, grid, box.center() + QPoint(x, y), LIGHT) for y in (-10, 10) for x in (-20, 20)]
    assert [each.split(" holds")[0] for each in found] == [f"Device {number}" for number in range(4)]
    assert grids.tip(box, grid, box.topLeft() - QPoint(5, 5), LIGHT) == ""


def test_the_whole_picture_has_each_row_and_no_brush_that_svg_does_not_know(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(DEVICES, name="devices"))
    shown = table_of(page)
    height = shown.rowHeight(0)
    assert shown.whole_size().height() == height * (1 + sum(row.height for row in DEVICES.table.rows))
    drawing = page.drawing()
    drawn = drawing.svg()
    assert b"<pattern" not in drawn
    for word in (b"all-reduce", b"output"):
        assert word in drawn


@pytest.mark.rest
def test_a_click_on_an_array_goes_to_its_line_and_a_line_lights_up_its_arrays(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(MEMORY, name="memory"))
    view.resize(600, 700)
    picture = picture_of(page)
    spots = (QPoint(x, y) for y in range(0, picture.height(), 4) for x in range(0, picture.width(), 4))
    spot = next(each for each in spots if (strip := picture.strip_at(QPointF(each))) and strip.line == 3)
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=spot)
    assert asked.args == [Focus("line", 3, "f")]
    before = picture.grab().toImage()
    view.show_marks(Marks(focus=Focus("line", 6, "f"), lines=(6,)))
    assert table_of(page).lit == {2}
    assert picture.grab().toImage() != before


def test_the_whole_picture_has_the_stack_above_the_rows(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(MEMORY, name="memory"))
    drawing = page.drawing()
    assert drawing.size.height() > table_of(page).whole_size().height()
    for width in (10, 120, 900):
        picture_of(page).resize(width, 60)
        picture_of(page).grab()
    assert b"residual" in drawing.svg()


def test_a_lens_without_blocks_has_no_picture(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(Lens(sentence=verbatim("Not known on this device.")), name="memory"))
    assert not picture_of(page).isVisible()
    assert picture_of(page).strip_at(QRectF(page.rect()).center()) is None
