"""Picture, caption, legend, tooltips and measures of any graph of keys tell the same."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter

from tests.views.keys.agreement import disagreements, painted
from tests.views.keys.key_notation import key_graph
from views.keys.forest.index import KeyIndex
from views.keys.forest.layout import lay_out
from views.keys.forest.picture import KeyPicture
from views.keys.forest.words import KeyWords
from views.keys.painting import fans, icicle, tree
from views.keys.painting.icicle import IciclePainter
from views.keys.painting.tree import TreePainter
from views.theme import LIGHT

ENDS = st.sampled_from(
    ["-", "draw", "draw x2", "draw for 5", "inside 2", "inside 3 for 4", "inside 2 x2", "fold_in 7 > draw"]
)
PATHS = st.recursive(
    ENDS,
    lambda path: st.one_of(
        st.lists(path, min_size=1, max_size=4).map(lambda each: f"split {len(each)} > [{', '.join(each)}]"),
        path.map(lambda each: f"split 8 > each {each}"),
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
def test_what_is_said_of_keys_is_what_is_painted(notation: str) -> None:
    assert disagreements(key_graph(notation)) == []


def test_a_sampler_whose_keys_are_folded_in_shows_that_its_key_is_shared() -> None:
    words = KeyWords(KeyIndex(key_graph("seed 0 > inside 2 for 5")))
    assert painted(lay_out(words.index)) == ["shared"]
    assert words.verdict == "1 key spent, shared by 5 examples"
    assert words.story(0).endswith("used once, permutation, line 7, and shared by 5 examples.")


def test_a_folded_chain_shows_the_keys_in_it_that_are_used_twice() -> None:
    layout = lay_out(KeyIndex(key_graph("seed 0 > chain x2 20 > draw")))
    (box,) = (place for place in range(len(layout.node)) if layout.steps(place))
    assert painted(layout)[box] == "reused"
    words = KeyWords(KeyIndex(key_graph("seed 0 > chain x2 20 > draw")))
    story = words.chain_story(int(layout.node[box]), layout.steps(box), layout.members(box))
    assert story.endswith(f"Among its keys: {layout.steps(box)} reused.")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    "notation",
    ["seed 0 > inside 2 for 5", "seed 0 > split 3 > [draw, draw x2, draw for 8]", "seed 0 > split 8 > each draw x2"],
)
def test_the_painters_draw_the_states_of_the_layout(notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: Counter[str] = Counter()
    for module in (tree, fans):
        monkeypatch.setattr(module, "draw_symbol", lambda _painter, _theme, state, *_: drawn.update([state]))
    monkeypatch.setattr(
        icicle.IciclePainter, "_fill", lambda _self, rectangles, state: drawn.update([state] * len(rectangles))
    )
    words = KeyWords(KeyIndex(key_graph(notation)))
    picture = KeyPicture(words)
    picture.size = (900.0, 600.0)
    image = QImage(900, 600, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    for form in ("tree", "icicle"):
        drawn.clear()
        picture.choice = form
        view = picture.view()
        if view.places is not None:
            TreePainter(painter, LIGHT, view, view.places, words).paint()
        else:
            IciclePainter(painter, LIGHT, view, words).paint()
        assert drawn == words.index.tally.counts
    painter.end()
