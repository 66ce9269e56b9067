"""Picture, caption, legend, tooltips and measures of any graph of keys agree."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack
from unittest import mock

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter

from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences
from explorer.figures.forest.layout import lay_out
from explorer.figures.key_tally import FAULTS
from explorer.messages import Array, Report, Snapshot
from tests.views.keys.agreement import disagreements, painted
from tests.views.keys.key_notation import key_graph
from views.keys import fans, icicle, tree
from views.keys.canvas import KeyCanvas
from views.keys.icicle import IciclePainter
from views.keys.key_view import KeyView
from views.keys.picture import KeyPicture
from views.keys.screen import Choice
from views.keys.symbols import Lettering
from views.keys.tree import TreePainter
from views.parts.legend import Legend
from views.theme import LIGHT

FORMS: tuple[Choice, ...] = ("tree", "icicle")
STATE_WORDS = {"shared": "shared by examples", "reused": "reused"}
ENDS = st.sampled_from(
    ["-", "draw", "draw x2", "draw for 5", "inside 2", "inside 3 for 4", "inside 2 x2", "fold_in 7 > draw"]
)
PATHS = st.recursive(
    ENDS,
    lambda path: st.one_of(
        st.lists(path, min_size=1, max_size=4).map(lambda each: f"split {len(each)} > [{', '.join(each)}]"),
        # 300 times 300 keys show nothing that 300 do not, and take a minute.
        st.tuples(st.sampled_from([8, 8, 300]), path).map(
            lambda each: f"split {8 if 'split 300' in each[1] else each[0]} > each {each[1]}"
        ),
        path.map(lambda each: f"fold_in 3 > {each}"),
        st.tuples(st.sampled_from(["chain", "chain x2"]), st.integers(2, 12), path).map(
            lambda each: f"{each[0]} {each[1]} > {each[2]}"
        ),
    ),
    max_leaves=6,
)
GRAPHS = st.lists(PATHS, min_size=1, max_size=3).map(
    lambda each: "; ".join(f"seed {n} > {p}" for n, p in enumerate(each))
)


@given(GRAPHS)
def test_the_texts_about_keys_agree_with_the_drawing(notation: str) -> None:
    assert disagreements(key_graph(notation)) == []


def test_a_sampler_whose_keys_are_folded_in_shows_that_its_key_is_shared() -> None:
    words = KeySentences(KeyIndex(key_graph("seed 0 > inside 2 for 5")))
    assert painted(lay_out(words.index)) == ["shared"]
    assert words.verdict == "1 key spent, shared by 5 examples"
    assert words.story(0).endswith("used once, permutation, line 7, and shared by 5 examples.")


def test_a_key_with_others_inside_is_used_as_often_as_the_most_used_one_of_these() -> None:
    words = KeySentences(KeyIndex(key_graph("seed 0 > draw; seed 1 > inside 3")))
    assert (words.verdict, words.state("drawn")) == ("2 keys spent, no key twice", "drawn from")
    assert words.inside(1, 3) == ["permutation, 3 keys inside", "3 keys: permutation", "permutation"]
    graph = key_graph("seed 0 > inside 2")
    times = graph.times.numpy().copy()
    times[-1] = 15
    graph = msgspec.structs.replace(graph, times=Array.of(times), state=Array.of(np.array([2, 2, 3], np.uint8)))
    words = KeySentences(KeyIndex(graph))
    assert (words.verdict, words.repeats(0)) == ("1 key spent, 15 times", "×15")


def test_a_folded_chain_shows_the_keys_in_it_that_are_used_twice() -> None:
    layout = lay_out(KeyIndex(key_graph("seed 0 > chain x2 20 > draw")))
    (box,) = (place for place in range(len(layout.node)) if layout.steps(place))
    assert painted(layout)[box] == "reused"
    words = KeySentences(KeyIndex(key_graph("seed 0 > chain x2 20 > draw")))
    story = words.chain_story(int(layout.node[box]), layout.steps(box), layout.members(box))
    assert story.endswith(f"Among its keys: {layout.steps(box)} reused.")


class Seen:
    """The output of the painters: the state of each symbol, rectangle or stretch, and the words."""

    def __init__(self) -> None:
        self.states: Counter[str] = Counter()
        self.words: list[str] = []

    def of(self, picture: KeyPicture) -> Seen:
        """Paint all of `picture` and return the output."""
        view = picture.view()
        image = QImage(int(view.screen.width), int(view.screen.height), QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        with ExitStack() as stack:
            for module in (tree, fans):
                stack.enter_context(mock.patch.object(module, "draw_symbol", self._symbol))
            for module in (icicle, fans):
                stack.enter_context(mock.patch.object(module, "fill_many", self._symbol))
            stack.enter_context(mock.patch.object(IciclePainter, "_fill", self._fill))
            fitting = Lettering.fitting
            stack.enter_context(mock.patch.object(Lettering, "fitting", lambda *each: self._note_words(fitting(*each))))
            if view.places is not None:
                TreePainter(painter, LIGHT, view, view.places, picture.words).paint()
            else:
                IciclePainter(painter, LIGHT, view, picture.words).paint()
        painter.end()
        return self

    def _symbol(self, _painter: object, _theme: object, *rest: object) -> None:
        self.states.update(each for each in rest if isinstance(each, str))

    def _fill(self, rectangles: list[object], state: str) -> None:
        self.states.update([state] * len(rectangles))

    def _note_words(self, words: str) -> str:
        self.words.append(words)
        return words


@pytest.mark.parametrize("height", [60.0, 52.0])
@pytest.mark.usefixtures("qapp")
def test_a_low_box_of_an_icicle_says_what_was_drawn_from_its_key(height: float) -> None:
    words = KeySentences(KeyIndex(key_graph("seed 0 > split 2 > [draw, -]")))
    said = Seen().of(a_picture(words, "icicle", (900.0, height))).words
    assert said[:2] == ["seed 0: split into 2 on line 9", "split 0/2: normal, line 4"]


def a_picture(words: KeySentences, form: Choice, size: tuple[float, float]) -> KeyPicture:
    picture = KeyPicture(words)
    picture.size, picture.choice = size, form
    return picture


@pytest.mark.rest
@pytest.mark.usefixtures("qapp")
@settings(max_examples=100)
@given(GRAPHS, st.sampled_from(FORMS), st.sampled_from([(900.0, 600.0), (240.0, 130.0)]))
def test_no_picture_hides_what_is_shared_or_used_twice(notation: str, form: Choice, size: tuple[float, float]) -> None:
    """Large or small, as a tree or an icicle: in colours and in words."""
    words = KeySentences(KeyIndex(key_graph(notation)))
    picture = a_picture(words, form, size)
    states, screen, seen = painted(picture.layout), picture.screen(), Seen().of(picture)
    there = Counter(states)
    on_screen = {
        state for place, state in enumerate(states) if picture.layout.level_of(place) < screen.level_range.stop
    }
    worst = next((state for state in FAULTS[::-1] if state in on_screen), None)
    assert worst is None or seen.states[worst], seen.states
    assert set(seen.states) <= set(there)
    for text in seen.words:
        number = re.match(r"(\d+) keys?, each drawn once", text)
        assert number is None or int(number[1]) <= there["drawn"], text
        assert "drawn once" not in text or there["drawn"], text
    for place, state in enumerate(painted(picture.layout)):
        if state in FAULTS:
            key_story = picture.story(place)
            assert any(each in key_story for each in ("shared", "times:", "more than once", "reused")), key_story


@pytest.mark.usefixtures("qapp")
@given(GRAPHS)
def test_legend_caption_and_description_in_the_view_are_of_what_is_painted(notation: str) -> None:
    graph = key_graph(notation)
    view = KeyView()
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("run", "ok", keys=graph),)))
    canvas = view.findChild(KeyCanvas)
    there = Counter(painted(canvas.picture.layout))
    legend = view.findChild(Legend).accessibleDescription()
    for state in FAULTS:
        assert (STATE_WORDS[state] in legend) == bool(there[state]), legend
    text = view.accessibleDescription() + canvas.accessibleDescription()
    assert ("shared by" in text or "more than once" in text or " times" in text) == bool(
        there["shared"] + there["reused"]
    ), text
    view.deleteLater()
