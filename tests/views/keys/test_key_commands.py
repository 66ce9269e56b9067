"""User actions in the keys pane: menu, keyboard and saving, with 1, 32, 1000 and a million keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from explorer.figures.forest.key_words import full_hex
from explorer.messages import Array, KeyGraph, Report, Site, Snapshot, Span
from tests.views.keys.key_notation import key_graph
from views.keys.canvas import KeyCanvas
from views.keys.forest.picture import KeyPicture
from views.keys.key_view import KeyBar, KeyView

pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard", extend=True)
"""Menus ask for it; a screen that no one sees has no keyboard."""

EACH = "seed 42 > split 32 > each draw"
MILLION = 1_000_000


@pytest.fixture
def show(qtbot: QtBot) -> Callable[[KeyGraph], KeyView]:
    def shown(graph: KeyGraph) -> KeyView:
        view = KeyView()
        qtbot.addWidget(view)
        view.resize(640, 400)
        with qtbot.waitExposed(view):
            view.show()
        view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("f", "ok", keys=graph),)))
        QApplication.processEvents()
        return view

    return shown


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


def canvas(view: KeyView) -> KeyCanvas:
    return view.findChildren(KeyCanvas)[0]


def picture(view: KeyView) -> KeyPicture:
    found = canvas(view).picture
    assert found is not None
    return found


def place_of(view: KeyView, key: int) -> int:
    return int(picture(view).layout.place[key])


def pixel_of(view: KeyView, key: int) -> QPoint:
    seen, place = picture(view).view(), place_of(view, key)
    if seen.places is not None:
        point = seen.places.point(place)
        assert point is not None
        return QPoint(round(point[0]), round(point[1]))
    layout = seen.screen.layout
    x = seen.screen.x(float(layout.left[place] + layout.right[place]) / 2)
    return QPoint(round(x), round(seen.screen.y(layout.level_of(place) + 0.5)))


def choose_from_menu(view: KeyView, words: str, key: int | None) -> list[str]:
    """Open the menu over `key`, or by the keyboard's menu key, choose the entry that `words` begin; return them all."""
    texts: list[str] = []

    def choose() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        texts.extend(action.text() for action in menu.actions())
        chosen = [action for action in menu.actions() if action.text().startswith(words)]
        menu.setActiveAction(chosen[0]) if chosen else menu.close()
        if chosen:
            QApplication.processEvents()
            QTest.keyClick(menu, Qt.Key.Key_Return)

    QTimer.singleShot(0, choose)
    reason = QContextMenuEvent.Reason.Keyboard if key is None else QContextMenuEvent.Reason.Mouse
    at = canvas(view).rect().center() if key is None else pixel_of(view, key)
    QApplication.sendEvent(canvas(view), QContextMenuEvent(reason, at, canvas(view).mapToGlobal(at)))
    return texts


@pytest.mark.parametrize("key", [6, None], ids=["by mouse", "by keyboard"])
def test_the_menu_copies_the_data_of_a_key(show: Callable[[KeyGraph], KeyView], key: int | None) -> None:
    view = show(key_graph(EACH))
    picture(view).go_to(place_of(view, 6))
    choose_from_menu(view, "Copy the key data", key)
    assert QGuiApplication.clipboard().text() == full_hex(picture(view).words.index, 6)


def test_the_menu_zooms_to_a_key(show: Callable[[KeyGraph], KeyView]) -> None:
    view = show(key_graph("seed 1 > split 2 > [draw, split 3 > [-, -, -]]"))
    choose_from_menu(view, "Zoom to this key", 2)
    left, right = picture(view).screen().slots
    assert (left > 0.5, right < 4.5) == (True, True)


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that the user chooses in the dialog."""
    file = tmp_path / "keys.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), "SVG (*.svg)"))
    return file


def test_the_picture_is_saved_as_it_is_on_screen(
    qtbot: QtBot, show: Callable[[KeyGraph], KeyView], saved: Path
) -> None:
    view = show(key_graph("seed 42 > split 3 > [draw, draw x2, -]"))
    (button,) = [each for each in view.findChild(KeyBar).findChildren(QToolButton) if each.text() == "SVG"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    root = ElementTree.fromstring(saved.read_bytes())
    words = " ".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))
    for texts in ("seed 42", "split 1/3", "normal, line 4", "drawn once", "reused", "×2"):
        assert texts in words
    assert "1 more than once" in (root.findtext("{http://www.w3.org/2000/svg}desc") or "")


def test_a_disk_that_takes_no_picture_is_reported(
    show: Callable[[KeyGraph], KeyView], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = show(key_graph(EACH))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "keys.svg"), ""))
    (button,) = [each for each in view.findChild(KeyBar).findChildren(QToolButton) if each.text() == "SVG"]
    with qtbot.waitSignal(view.hover_text) as emitted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert emitted.args == ["The picture was not saved: No such file or directory."]


@pytest.mark.parametrize("count", [1, 32, 1000, MILLION])
def test_from_one_key_to_a_million_all_can_be_walked_and_read(
    qtbot: QtBot, show: Callable[[KeyGraph], KeyView], count: int
) -> None:
    view, last = show(fan(count)), count
    emitted: list[str] = []
    view.hover_text.connect(emitted.append)
    picture(view).go_to(place_of(view, last))
    picture(view).come_close(place_of(view, last))
    left, right = _edges(view)
    assert right - left > 8, "it can be told from its neighbours"
    canvas(view).setFocus()
    walked = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        qtbot.keyClick(canvas(view), key)
        walked.append(picture(view).key(picture(view).current or 0))
    assert walked == ([last - 1, last, 0, 1] if count > 1 else [1, 1, 0, 1])
    story = f"Child {last - 1} of {count:,} of a split on line 9; drawn once, normal, line 4, for example {last - 1}."
    assert emitted[1] == f"{story} Key data: {full_hex(picture(view).words.index, last)}."
    qtbot.keyClick(canvas(view), Qt.Key.Key_0)
    assert picture(view).viewport is None
    qtbot.keyClick(canvas(view), Qt.Key.Key_Z)
    assert picture(view).screen().viewport.span <= picture(view).layout.slots


def _edges(view: KeyView) -> tuple[float, float]:
    """Return the left and right end, in pixels, of the key at the keyboard's cursor."""
    screen, place = picture(view).screen(), picture(view).current
    assert place is not None
    return screen.x(float(screen.layout.left[place])), screen.x(float(screen.layout.right[place]))


@pytest.mark.parametrize("form", ["tree", "icicle"])
def test_a_selected_key_among_thousands_is_pinned(show: Callable[[KeyGraph], KeyView], form: str) -> None:
    view = show(fan(3000 if form == "icicle" else 1000))
    canvas(view).set_form(form)  # type: ignore[arg-type]
    assert picture(view).view().screen.form == form
    plain = canvas(view).grab().toImage()
    picture(view).focus(500)
    canvas(view).show_marks(frozenset({500}), 500)
    QApplication.processEvents()
    lit = canvas(view).grab().toImage()
    changed = [x for x in range(lit.width()) if any(lit.pixel(x, y) != plain.pixel(x, y) for y in range(lit.height()))]
    assert len(changed) > 40, "a hair of colour is not enough: the pin names the key"
