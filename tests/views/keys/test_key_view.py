from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.figures.forest.key_sentences import full_hex
from explorer.messages import Array, Coverage, Failure, Finding, Focus, KeyGraph, Marks, Report, Site, Snapshot, Span
from explorer.text.text import say
from tests.views.keys.key_notation import key_graph
from tests.views.made import heard, hold, put_up, snapshot
from views.keys.canvas import KeyCanvas
from views.keys.key_half import KeyHalf
from views.keys.key_view import KeyView
from views.keys.picture import FEW, KeyPicture
from views.parts.tabs import TabButton, Tabs
from views.theme import LIGHT

SHARED, EACH = "seed 42 > draw for 32", "seed 42 > split 32 > each draw"
FAILURE = Failure("ValueError", "no", Span(7, 0, 7, 5))


def snapshot_of(*notations: str) -> Snapshot:
    names = ("one", "other")
    reports = tuple(Report(name, "ok", keys=key_graph(each)) for name, each in zip(names, notations, strict=False))
    return snapshot(*reports)


Show = Callable[[Snapshot | KeyGraph], KeyView]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    def shown(of: Snapshot | KeyGraph) -> KeyView:
        view = put_up(qtbot, KeyView(), 450, 330)
        qtbot.waitExposed(view)
        view.show_snapshot(of if isinstance(of, Snapshot) else snapshot(Report("one", "ok", keys=of)))
        QApplication.processEvents()
        return view

    return shown


def canvases(view: KeyView) -> list[KeyCanvas]:
    return [canvas for canvas in view.findChildren(KeyCanvas) if canvas.isVisible()]


def bar(view: KeyView) -> Tabs:
    return view.findChild(Tabs)


def picture(view: KeyView) -> KeyPicture:
    return canvases(view)[0].picture


def place_of(view: KeyView, key: int) -> int:
    return int(picture(view).layout.place[key])


def pixel_of(view: KeyView, key: int) -> QPoint:
    """Return the pixel of a tree's key on its canvas."""
    places = picture(view).view().places
    point = places.point(place_of(view, key))
    return QPointF(*point).toPoint()


def test_what_is_shared_on_purpose_has_the_colour_of_a_note_and_says_so(qtbot: QtBot) -> None:
    view, emitted = hold(qtbot, KeyView()), list[str]()
    view.verdict_changed.connect(emitted.append)
    half = view.findChildren(KeyHalf)[0]
    found = snapshot_of(SHARED)
    view.show_snapshot(found)
    assert half.worn.bug == LIGHT.bug
    meant = Finding("shared-noise", "note", "Shared.", on_purpose=True)
    distinct = msgspec.structs.replace(found.reports[0], findings=(meant,))
    view.show_snapshot(msgspec.structs.replace(found, reports=(distinct,)))
    assert half.worn.bug == LIGHT.note
    assert emitted[-1] == "1 key spent, shared by 32 examples, on purpose"
    view.show_snapshot(found)
    assert half.worn.bug == LIGHT.bug


def test_the_few_keys_of_one_example_are_outlined_so_that_they_are_found(show: Show) -> None:
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
    view, emitted = hold(qtbot, KeyView()), list[str]()
    view.verdict_changed.connect(emitted.append)
    found = snapshot_of(*notations)
    view.show_snapshot(found)
    view.show_snapshot(found)
    assert emitted == [verdict]


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Snapshot(1, "cpu:0", False), "The keys appear here as soon as the program has run."),
        (Snapshot(1, "cpu:0", False, reports=(Report("one"),)), "The keys appear here as soon as the program has run."),
        (Snapshot(1, "cpu:0", True, failure=FAILURE), "The program stopped before it made a key."),
        (
            Snapshot(1, "cpu:0", True, reports=(Report("one", "error", FAILURE),)),
            "The program stopped before it made a key.",
        ),
        (Snapshot(1, "cpu:0", True, reports=(Report("one", "ok"),)), "The keys of this program were not recorded."),
    ],
)
def test_where_there_are_no_keys_a_sentence_says_why(show: Show, found: Snapshot, sentence: str) -> None:
    view = show(found)
    assert [canvas.accessibleDescription() for canvas in canvases(view)] == [sentence]


def test_a_program_without_keys_says_so(show: Show) -> None:
    empty = msgspec.structs.replace(key_graph("seed 1"), data=key_graph("").data)
    of_keys = Coverage("keys", "whole", say("keys"), say("none used"), sentence=say("They come from NumPy."))
    for coverage, words in (((), "This program makes no random keys."), ((of_keys,), "They come from NumPy.")):
        view = show(Snapshot(1, "cpu:0", True, reports=(Report("one", "ok", keys=empty, coverage=coverage),)))
        assert canvases(view)[0].accessibleDescription() == words


def test_the_keys_of_a_program_that_stopped_are_shown_with_a_note(show: Show) -> None:
    graph = key_graph("seed 1 > split 2 > [draw, -]", notes=("2 keys could not be seen.",))
    view = show(Snapshot(1, "cpu:0", True, reports=(Report("one", "error", FAILURE, keys=graph),)))
    assert [label.text() for label in view.findChildren(QLabel) if label.isVisible() and label.text()] == [
        "The program stopped on line 7. These are the keys that it made before.\n2 keys could not be seen."
    ]


def test_next_to_an_icicle_a_tree_is_an_icicle_too_until_one_looks_closer(show: Show) -> None:
    few, many = "seed 1 > split 2 > each draw", "seed 1 > split 50 > each split 4 > each draw"
    view = show(snapshot_of(few))
    assert picture(view).screen().form == "tree"
    view.show_snapshot(snapshot_of(few, many))
    QApplication.processEvents()
    assert [canvas.picture.screen().form for canvas in canvases(view)] == ["icicle", "icicle"]
    canvases(view)[1].picture.zoom_to(3)
    assert [canvas.picture.screen().form for canvas in canvases(view)] == ["icicle", "tree"]


def test_two_variants_stand_side_by_side_on_one_scale(show: Show) -> None:
    view = show(snapshot_of(SHARED, EACH))
    left, right = canvases(view)
    assert left.geometry().right() < right.geometry().left()
    assert left.size() == right.size()
    assert left.accessibleName() == "Keys of one"
    assert left.picture.screen().row == right.picture.screen().row
    view.show_snapshot(snapshot_of(SHARED))
    assert len(canvases(view)) == 1


def test_the_next_run_of_an_equal_tree_keeps_what_a_user_looks_at(show: Show) -> None:
    view = show(snapshot_of("seed 1 > split 9 > each split 9 > each draw"))
    picture(view).zoom_to(3)
    looked_at = picture(view).viewport
    view.show_snapshot(snapshot_of("seed 2 > split 9 > each split 9 > each draw"))
    assert picture(view).viewport == looked_at
    view.show_snapshot(snapshot_of(EACH))
    assert picture(view).viewport is None


def test_a_click_asks_for_the_focus_on_the_key_and_the_pointer_shows_its_story(qtbot: QtBot, show: Show) -> None:
    view = show(snapshot_of(EACH))
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(canvases(view)[0], Qt.MouseButton.LeftButton, pos=pixel_of(view, 6))
    assert asked.args == [Focus("key", 6, "one")]
    with qtbot.waitSignal(view.hover_text) as emitted:
        qtbot.mouseMove(canvases(view)[0], pixel_of(view, 6))
    story = "Child 5 of 32 of a split on line 9; drawn once, normal, line 4, for example 5."
    assert emitted.args == [f"{story} Key data: 6a99b44c08d12dfd."]


def test_the_keyboard_walks_the_tree_and_enter_chooses(qtbot: QtBot, show: Show) -> None:
    view = show(snapshot_of("seed 1 > split 3 > [draw, -, -]"))
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right):
        qtbot.keyClick(canvases(view)[0], key)
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.keyClick(canvases(view)[0], Qt.Key.Key_Return)
    assert asked.args == [Focus("key", 2, "one")]


def test_plus_minus_and_zero_zoom(qtbot: QtBot, show: Show) -> None:
    view = show(snapshot_of("seed 1 > split 9 > each split 9 > each draw"))
    canvas, whole = canvases(view)[0], picture(view).layout.slots
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert picture(view).screen().viewport.span == pytest.approx(whole / 1.25)
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    assert picture(view).viewport is None
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert picture(view).viewport is None


def test_the_wheel_zooms_at_the_pointer_and_dragging_pans(qtbot: QtBot, show: Show) -> None:
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


def test_a_double_click_zooms_to_the_keys_below(qtbot: QtBot, show: Show) -> None:
    view = show(snapshot_of("seed 1 > split 2 > [draw, split 3 > [-, -, -]]"))
    qtbot.mouseDClick(canvases(view)[0], Qt.MouseButton.LeftButton, pos=pixel_of(view, 2))
    left, right = picture(view).screen().slots
    assert left > 0.5
    assert right == pytest.approx(4, abs=0.5)


def test_the_marked_key_in_focus_is_brought_on_screen(show: Show) -> None:
    view = show(snapshot_of("seed 1 > split 30 > each split 30 > each draw"))
    picture(view).zoom_to(3)
    last = picture(view).words.index.nodes - 1
    view.show_marks(Marks(focus=Focus("key", last, "one"), keys={"one": frozenset({last, 1})}))
    seen = picture(view).view()
    place = place_of(view, last)
    shown = seen.screen.layout.between(2, *seen.screen.slots)
    assert shown.start <= place < shown.stop
    assert seen.lit.focused == place
    assert seen.lit.marked.sum() == 2
    view.show_marks(Marks())
    assert not picture(view).view().lit.marked.any()


def test_marked_keys_of_a_band_keep_the_colour_of_their_state(show: Show) -> None:
    view = show(snapshot_of("seed 1 > split 1000 > each draw"))
    (canvas,) = canvases(view)

    def coloured() -> int:
        image = canvas.grab().toImage()
        places = [(x, y) for x in range(image.width()) for y in range(image.height())]
        return sum(image.pixelColor(*place) == QColor(LIGHT.good) for place in places)

    plain = coloured()
    view.show_marks(Marks(keys={"one": frozenset(range(1, 1001))}))
    assert coloured() > 0.9 * plain > 100


def test_a_selected_key_of_a_folded_chain_is_shown_by_the_chain(show: Show) -> None:
    view = show(snapshot_of("seed 1 > chain 1000 > -"))
    view.show_marks(Marks(focus=Focus("key", 777, "one"), keys={"one": frozenset({777})}))
    seen = picture(view).view()
    assert picture(view).layout.steps(seen.lit.focused) == 996


def test_the_form_can_be_chosen(qtbot: QtBot, show: Show) -> None:
    view = show(snapshot_of(EACH))
    forms = []
    for button in bar(view).findChildren(TabButton):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        forms.append(picture(view).screen().form)
    assert forms == ["tree", "icicle", "tree"]


@pytest.mark.parametrize("notation", ["seed 1 > split 3 > [draw, draw x2, -]", "seed 1 > split 12 > each draw"])
def test_the_mark_of_a_draw_is_reported_clicked_and_lit(qtbot: QtBot, show: Show, notation: str) -> None:
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


# -- menu, keyboard and saving, with 1, 32, 1000 and a million keys ---------------------------------------------------


def fan(count: int) -> KeyGraph:
    """A seed split into `count` keys, each drawn from once for its example."""
    numbers = np.arange(count, dtype=np.int32)
    words = np.random.default_rng(0).integers(0, 2**32, (count + 1, 2), np.uint32)
    words[0] = 0
    made = Site("seed", "key", Span(3, 0, 3, 9)), Site("split", "split", Span(9, 0, 9, 9), (count,))
    return KeyGraph(
        data=Array.of(words),
        implementation=Array.of(np.zeros(count + 1, np.uint8)),
        implementations=("threefry2x32",),
        parent=Array.of(np.concatenate([[-1], np.zeros(count)]), np.int32),
        origin=Array.of(np.concatenate([[1], np.full(count, 2)]), np.uint8),
        index=Array.of(np.concatenate([[7], numbers]), np.int64),
        site=Array.of(np.concatenate([[0], np.ones(count)]), np.int32),
        state=Array.of(np.concatenate([[1], np.full(count, 2)]), np.uint8),
        times=Array.of(np.ones(count + 1, np.int32)),
        draw_key=Array.of(numbers + 1),
        draw_site=Array.of(np.full(count, 2, np.int32)),
        draw_example=Array.of(numbers),
        draw_serves=Array.of(np.ones(count, np.int32)),
        split_key=Array.of(np.zeros(1, np.int32)),
        split_site=Array.of(np.ones(1, np.int32)),
        other_parents=Array.of(np.zeros((0, 2), np.int32)),
        sites=(*made, Site("draw", "normal", Span(4, 0, 4, 9), (10,))),
        draws=count,
    )


@pytest.mark.parametrize("count", [1, 32, 1000, 1_000_000])
def test_from_one_key_to_a_million_all_can_be_walked_and_read(qtbot: QtBot, show: Show, count: int) -> None:
    view, last = show(fan(count)), count
    emitted = heard(view.hover_text)
    picture(view).go_to(place_of(view, last))
    picture(view).zoom_to(place_of(view, last))
    left, right = _edges(view)
    assert right - left > 8, "it can be told from its neighbours"
    canvases(view)[0].setFocus()
    walked = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        qtbot.keyClick(canvases(view)[0], key)
        walked.append(picture(view).key(picture(view).current or 0))
    assert walked == ([last - 1, last, 0, 1] if count > 1 else [1, 1, 0, 1])
    story = f"Child {last - 1} of {count:,} of a split on line 9; drawn once, normal, line 4, for example {last - 1}."
    assert emitted[1] == f"{story} Key data: {full_hex(picture(view).words.index, last)}."
    qtbot.keyClick(canvases(view)[0], Qt.Key.Key_0)
    assert picture(view).viewport is None
    qtbot.keyClick(canvases(view)[0], Qt.Key.Key_Z)
    assert picture(view).screen().viewport.span <= picture(view).layout.slots


def _edges(view: KeyView) -> tuple[float, float]:
    """Return the left and right end, in pixels, of the key at the keyboard's cursor."""
    screen, place = picture(view).screen(), picture(view).current
    return screen.x(float(screen.layout.left[place])), screen.x(float(screen.layout.right[place]))


@pytest.mark.parametrize("form", ["tree", "icicle"])
def test_a_selected_key_among_thousands_is_pinned(show: Show, form: str) -> None:
    view = show(fan(3000 if form == "icicle" else 1000))
    canvases(view)[0].set_form(form)  # type: ignore[arg-type]
    assert picture(view).view().screen.form == form
    plain = canvases(view)[0].grab().toImage()
    picture(view).focus(500)
    canvases(view)[0].show_marks(frozenset({500}), 500)
    QApplication.processEvents()
    lit = canvases(view)[0].grab().toImage()
    changed = [x for x in range(lit.width()) if any(lit.pixel(x, y) != plain.pixel(x, y) for y in range(lit.height()))]
    assert len(changed) > 40, "a hair of colour is not enough: the pin names the key"
