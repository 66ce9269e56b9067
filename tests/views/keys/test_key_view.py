from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Finding, Focus, KeyGraph, Marks, Report, Snapshot, Span
from tests.views.keys.key_notation import key_graph
from views.keys.canvas import KeyCanvas
from views.keys.forest.picture import FEW, KeyPicture
from views.keys.key_half import KeyHalf
from views.keys.key_view import KeyBar, KeyView
from views.parts.tabs import TabButton
from views.theme import LIGHT

SHARED, EACH = "seed 42 > draw for 32", "seed 42 > split 32 > each draw"
FAILURE = Failure("ValueError", "no", Span(7, 0, 7, 5))


def snapshot_of(*notations: str, complete: bool = True) -> Snapshot:
    names = ("one", "other")
    reports = tuple(Report(name, "ok", keys=key_graph(each)) for name, each in zip(names, notations, strict=False))
    return Snapshot(1, "cpu:0", complete, reports=reports)


@pytest.fixture
def show(qtbot: QtBot) -> Callable[[Snapshot], KeyView]:
    def shown(snapshot: Snapshot) -> KeyView:
        view = KeyView()
        qtbot.addWidget(view)
        view.resize(450, 330)
        with qtbot.waitExposed(view):
            view.show()
        view.show_snapshot(snapshot)
        QApplication.processEvents()
        return view

    return shown


def canvases(view: KeyView) -> list[KeyCanvas]:
    return [canvas for canvas in view.findChildren(KeyCanvas) if canvas.isVisible()]


def bar(view: KeyView) -> KeyBar:
    return view.findChildren(KeyBar)[0]


def picture(view: KeyView) -> KeyPicture:
    found = canvases(view)[0].picture
    assert found is not None
    return found


def pixel_of(view: KeyView, key: int) -> QPoint:
    """Return the pixel of a tree's key on its canvas."""
    places = picture(view).view().places
    assert places is not None
    point = places.point(int(picture(view).layout.place[key]))
    assert point is not None
    return QPointF(*point).toPoint()


def test_what_is_shared_on_purpose_has_the_colour_of_a_note_and_says_so(qtbot: QtBot) -> None:
    view, emitted = KeyView(), list[str]()
    qtbot.addWidget(view)
    view.verdict_changed.connect(emitted.append)
    half = view.findChildren(KeyHalf)[0]
    snapshot = snapshot_of(SHARED)
    view.show_snapshot(snapshot)
    assert half.worn.bug == LIGHT.bug
    meant = Finding("shared-noise", "note", "Shared.", on_purpose=True)
    distinct = msgspec.structs.replace(snapshot.reports[0], findings=(meant,))
    view.show_snapshot(msgspec.structs.replace(snapshot, reports=(distinct,)))
    assert half.worn.bug == LIGHT.note
    assert emitted[-1] == "1 key spent, shared by 32 examples, on purpose"
    view.show_snapshot(snapshot)
    assert half.worn.bug == LIGHT.bug


def test_the_few_keys_of_one_example_are_outlined_so_that_they_are_found(show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 42 > split 1000 > each split 3 > each draw"))
    name = snapshot_of(SHARED).reports[0].name
    view.show_marks(Marks(keys={name: frozenset(range(1, 1 + FEW))}))
    assert len(picture(view).view().lit.strong()) == FEW
    view.show_marks(Marks(keys={name: frozenset(range(1, 2 + FEW))}))
    assert picture(view).view().lit.strong() == []


@pytest.mark.parametrize(
    ("notations", "verdict"),
    [
        ((SHARED,), "1 key spent, shared by 32 examples"),
        ((SHARED, EACH), "1 key spent, shared by 32 examples | 32 keys spent, one for each example"),
    ],
)
def test_the_verdict_is_reported_once(qtbot: QtBot, notations: tuple[str, ...], verdict: str) -> None:
    view, emitted = KeyView(), list[str]()
    qtbot.addWidget(view)
    view.verdict_changed.connect(emitted.append)
    snapshot = snapshot_of(*notations)
    view.show_snapshot(snapshot)
    view.show_snapshot(snapshot)
    assert emitted == [verdict]


@pytest.mark.parametrize(
    ("snapshot", "sentence"),
    [
        (Snapshot(1, "cpu:0", False), "The keys appear here as soon as the program has run."),
        (
            Snapshot(1, "cpu:0", False, reports=(Report("one"),)),
            "The keys appear here as soon as the program has run.",
        ),
        (Snapshot(1, "cpu:0", True, failure=FAILURE), "The program stopped before it made a key."),
        (
            Snapshot(1, "cpu:0", True, reports=(Report("one", "error", FAILURE),)),
            "The program stopped before it made a key.",
        ),
        (Snapshot(1, "cpu:0", True, reports=(Report("one", "ok"),)), "The keys of this program were not recorded."),
    ],
)
def test_where_there_are_no_keys_a_sentence_says_why(
    show: Callable[[Snapshot], KeyView], snapshot: Snapshot, sentence: str
) -> None:
    view = show(snapshot)
    assert [canvas.accessibleDescription() for canvas in canvases(view)] == [sentence]


def test_a_program_without_keys_says_so(show: Callable[[Snapshot], KeyView]) -> None:
    empty = key_graph("seed 1")
    empty = KeyGraph(
        **{name: getattr(empty, name) for name in KeyGraph.__struct_fields__} | {"data": key_graph("").data}
    )
    view = show(Snapshot(1, "cpu:0", True, reports=(Report("one", "ok", keys=empty),)))
    assert canvases(view)[0].accessibleDescription() == "This program makes no random keys."


def test_the_keys_of_a_program_that_stopped_are_shown_with_a_note(show: Callable[[Snapshot], KeyView]) -> None:
    graph = key_graph("seed 1 > split 2 > [draw, -]", notes=("2 keys could not be seen.",))
    view = show(Snapshot(1, "cpu:0", True, reports=(Report("one", "error", FAILURE, keys=graph),)))
    assert [label.text() for label in view.findChildren(QLabel) if label.isVisible() and label.text()] == [
        "The program stopped on line 7. These are the keys that it made before.\n2 keys could not be seen."
    ]


def test_two_variants_stand_side_by_side_on_one_scale(show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of(SHARED, EACH))
    left, right = canvases(view)
    assert left.geometry().right() < right.geometry().left()
    assert left.size() == right.size()
    assert left.accessibleName() == "Keys of one"
    assert left.picture is not None
    assert right.picture is not None
    assert left.picture.screen().row == right.picture.screen().row
    view.show_snapshot(snapshot_of(SHARED))
    assert len(canvases(view)) == 1


def test_the_next_run_of_an_equal_tree_keeps_what_a_user_looks_at(show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > split 9 > each split 9 > each draw"))
    picture(view).zoom_to(3)
    looked_at = picture(view).viewport
    view.show_snapshot(snapshot_of("seed 2 > split 9 > each split 9 > each draw"))
    assert picture(view).viewport == looked_at
    view.show_snapshot(snapshot_of(EACH))
    assert picture(view).viewport is None


def test_a_click_asks_for_the_focus_on_the_key(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of(EACH))
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(canvases(view)[0], Qt.MouseButton.LeftButton, pos=pixel_of(view, 6))
    assert asked.args == [Focus("key", 6, "one")]


def test_the_pointer_over_a_key_shows_its_story(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of(EACH))
    with qtbot.waitSignal(view.hover_text) as emitted:
        qtbot.mouseMove(canvases(view)[0], pixel_of(view, 6))
    story = "Child 5 of 32 of a split on line 9; drawn once, normal, line 4, for example 5."
    assert emitted.args == [f"{story} Key data: 6a99b44c08d12dfd."]


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ([Qt.Key.Key_Home], 0),
        ([Qt.Key.Key_Home, Qt.Key.Key_Down], 1),
        ([Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right], 2),
        ([Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left], 1),
        ([Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up], 0),
        ([Qt.Key.Key_Down], 0),
    ],
)
def test_the_keyboard_walks_the_tree_and_enter_chooses(
    qtbot: QtBot, show: Callable[[Snapshot], KeyView], keys: list[Qt.Key], chosen: int
) -> None:
    view = show(snapshot_of("seed 1 > split 3 > [draw, -, -]"))
    for key in keys:
        qtbot.keyClick(canvases(view)[0], key)
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.keyClick(canvases(view)[0], Qt.Key.Key_Return)
    assert asked.args == [Focus("key", chosen, "one")]


def test_a_click_on_a_band_comes_closer(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > split 1000 > each draw"))
    assert picture(view).view().places.fans[0].columns == 0
    qtbot.mouseClick(canvases(view)[0], Qt.MouseButton.LeftButton, pos=pixel_of(view, 500))
    view_now = picture(view).view()
    assert view_now.places is not None
    assert not view_now.places.fans
    assert 5 < len(view_now.places.place) < 40


def test_plus_minus_and_zero_zoom(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > split 9 > each split 9 > each draw"))
    canvas, whole = canvases(view)[0], picture(view).layout.slots
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert picture(view).screen().viewport.span == pytest.approx(whole / 1.25)
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    assert picture(view).viewport is None
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert picture(view).viewport is None


def test_the_wheel_zooms_at_the_pointer_and_dragging_pans(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > split 9 > each split 9 > each draw"))
    canvas, at = canvases(view)[0], QPointF(100, 100)
    slot = picture(view).screen().slot_at(100)
    wheel = QWheelEvent(
        at, canvas.mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, wheel)
    assert picture(view).screen().slot_at(100) == pytest.approx(slot)
    left = picture(view).screen().viewport.left
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(200, 100))
    qtbot.mouseMove(canvas, QPoint(100, 100))
    with qtbot.assertNotEmitted(view.focus_requested):
        qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    assert picture(view).screen().viewport.left > left


def test_a_double_click_zooms_to_the_keys_below(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > split 2 > [draw, split 3 > [-, -, -]]"))
    qtbot.mouseDClick(canvases(view)[0], Qt.MouseButton.LeftButton, pos=pixel_of(view, 2))
    left, right = picture(view).screen().slots
    assert left > 0.5
    assert right == pytest.approx(4, abs=0.5)


def test_the_marked_key_in_focus_is_brought_on_screen(show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > split 30 > each split 30 > each draw"))
    picture(view).zoom_to(3)
    last = picture(view).words.index.nodes - 1
    view.show_marks(Marks(focus=Focus("key", last, "one"), keys={"one": frozenset({last, 1})}))
    seen = picture(view).view()
    place = int(picture(view).layout.place[last])
    shown = seen.screen.layout.between(2, *seen.screen.slots)
    assert shown.start <= place < shown.stop
    assert seen.lit.focused == place
    assert seen.lit.marked.sum() == 2
    view.show_marks(Marks())
    assert not picture(view).view().lit.marked.any()


def test_a_selected_key_of_a_folded_chain_is_shown_by_the_chain(show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of("seed 1 > chain 1000 > -"))
    view.show_marks(Marks(focus=Focus("key", 777, "one"), keys={"one": frozenset({777})}))
    seen = picture(view).view()
    assert seen.lit.focused is not None
    assert picture(view).layout.steps(seen.lit.focused) == 996


def test_the_form_can_be_chosen(qtbot: QtBot, show: Callable[[Snapshot], KeyView]) -> None:
    view = show(snapshot_of(EACH))
    forms = []
    for button in bar(view).findChildren(TabButton):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        forms.append(picture(view).screen().form)
    assert forms == ["tree", "icicle", "tree"]


@pytest.mark.parametrize("notation", ["seed 1 > split 3 > [draw, draw x2, -]", "seed 1 > split 12 > each draw"])
def test_the_mark_of_a_draw_is_reported_clicked_and_lit(
    qtbot: QtBot, show: Callable[[Snapshot], KeyView], notation: str
) -> None:
    view = show(snapshot_of(notation))
    (canvas,) = canvases(view)
    spot = canvas.spots[1]
    at = spot.room.center().toPoint()
    with qtbot.waitSignal(view.hover_text) as hovered:
        qtbot.mouseMove(canvas, at)
    assert hovered.args[0].startswith("normal, line 4")
    chosen = []
    view.focus_requested.connect(chosen.append)
    for _ in spot.draws:
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    assert chosen == [Focus("draw", draw, "one") for draw in spot.draws]
    plain = canvas.grab().toImage()
    view.show_marks(Marks(focus=chosen[-1]))
    assert canvas.grab().toImage() != plain
    view.show_marks(Marks())
    assert canvas.grab().toImage() == plain
