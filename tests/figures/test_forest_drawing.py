"""The tree of keys as SVG shows the same as the Keys pane."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

from explorer.figures.forest import drawing, style
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences
from explorer.messages import KEY_STATES, KeyState
from tests.views.keys.key_notation import key_graph
from views import theme

SVG = "{http://www.w3.org/2000/svg}"
GRAPHS = {
    "one key": "seed 42 > draw",
    "shared": "seed 0 > draw for 32",
    "reused": "seed 0 > draw x3",
    "a batch": "seed 0 > split 8 > each draw",
    "two and an unused one": "seed 0 > split 3 > [draw, draw x2, -]",
    "given": "outside > fold_in 7 > draw",
    "inside a sampler": "seed 0 > inside 2",
    "a chain": "seed 0 > chain 20 > draw",
}


def picture(notation: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.tree(key_graph(notation)))


def texts(notation: str) -> list[str]:
    return [each.text or "" for each in picture(notation).iter(f"{SVG}text")]


@pytest.mark.parametrize("notation", GRAPHS.values(), ids=GRAPHS)
def test_the_picture_is_well_formed_and_says_in_words_what_it_shows(notation: str) -> None:
    words = KeySentences(KeyIndex(key_graph(notation)))
    assert picture(notation).get("aria-label") == words.description()


@pytest.mark.parametrize(
    ("notation", "says"),
    [
        ("seed 42 > draw", ["seed 42", "normal, line 4"]),
        ("seed 0 > draw for 32", ["seed 0", "32 examples share it", "normal, line 4"]),
        ("seed 0 > draw x3", ["×3"]),
        ("seed 0 > split 8 > each draw", ["split into 8 on line 9", "8 keys, each drawn once"]),
        ("seed 0 > split 3 > [draw, draw x2, -]", ["split 0/3", "split 1/3", "split 2/3", "×2"]),
        ("outside > fold_in 7 > draw", ["from outside", "fold_in(7)"]),
        ("seed 0 > chain 20 > draw", ["× 17 steps"]),
    ],
)
def test_the_words_are_those_of_the_keys_pane(notation: str, says: list[str]) -> None:
    assert set(says) <= {*texts(notation)}


@pytest.mark.parametrize("notation", [each for each in GRAPHS.values() if "chain" not in each])
def test_there_is_a_symbol_for_each_key(notation: str) -> None:
    index = KeyIndex(key_graph(notation))
    drawn: Counter[KeyState] = Counter()
    for each in picture(notation).iter():
        state = (each.get("class") or "").removeprefix("s ")
        if each.tag in (f"{SVG}circle", f"{SVG}polygon") and state in KEY_STATES:
            drawn[state] += 1
    # A reused key is a ring around a disc.
    drawn["reused"] //= 2
    assert +drawn == index.tally.counts


@pytest.mark.parametrize("notation", [*GRAPHS.values(), "seed 0 > fold_in 7 > draw for 1000000"])
def test_no_words_go_beyond_the_picture(notation: str) -> None:
    svg = picture(notation)
    left, _, width, _ = map(float, (svg.get("viewBox") or "").split())
    for each in svg.iter(f"{SVG}text"):
        wide = len(each.text or "") * drawing.LETTER * (drawing.BOLD if each.get("class") else 1)
        begin = float(each.get("x") or "") - (wide / 2 if each.get("text-anchor") == "middle" else 0)
        assert left <= begin
        assert begin + wide <= left + width


def test_the_legend_names_and_counts_the_states_that_occur() -> None:
    legend = drawing.legend(key_graph("seed 0 > split 3 > [draw, draw x2, -]"))
    for words in ("split: 1", "drawn once: 1", "reused: 1", "unused: 1"):
        assert f"</svg> {words}" in legend
    assert "fresh" not in legend


def test_ten_thousand_keys_make_no_large_picture() -> None:
    svg = drawing.tree(key_graph("seed 0 > split 100 > each split 100 > each draw"))
    assert len(svg) < 300_000
    assert float(ElementTree.fromstring(svg).get("width", "")) < 1000


def test_without_keys_there_is_no_picture() -> None:
    empty = key_graph("")
    assert drawing.tree(empty) == drawing.legend(empty) == ""


@pytest.mark.parametrize(("here", "there"), [(style.LIGHT, theme.LIGHT), (style.DARK, theme.DARK)])
def test_the_colours_are_those_of_the_window(here: dict[str, str], there: theme.Theme) -> None:
    window = {"low": there.series[0], "high": there.series[1]}
    assert here == {name: window.get(name) or getattr(there, name) for name in here}
