from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.window.handout import panes, web
from explorer.window.handout.marked_up import of_markdown
from explorer.window.handout.records import Figure
from tests.browser import Browser, browser
from tests.window.handout.examples import handout, lesson

VOID = {"meta", "img", "br", "path", "use", "rect"}


class Parsed(HTMLParser):
    """The content of a page: its elements, the text of each, and unclosed ones."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.inside: dict[str, str] = {}
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.inside[tag] = self.inside.get(tag, "") + data


@pytest.fixture
def page(qapp: QApplication) -> Parsed:
    return Parsed(web.page(handout()))


def test_every_element_is_closed(page: Parsed) -> None:
    assert page.open == []


def test_nothing_is_loaded_and_no_script_runs(page: Parsed) -> None:
    assert "script" not in page.seen
    assert "link" not in page.seen
    assert all(link.startswith(("#", "data:")) for link in page.links)


def test_a_picture_says_what_it_shows(qapp: QApplication) -> None:
    assert 'role="img" aria-label="twice 4, as it should be."' in web.page(handout())


def test_the_answer_and_what_answers_are_folded(page: Parsed) -> None:
    folded = page.inside["details"]
    assert "B: 4" in folded
    assert "It is four." in folded
    assert "4, as it should be." in folded
    assert "What is twice?" not in folded


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ({"undecided": "f 1.1 µs, g 1 µs"}, "Not graded: this machine cannot tell the choices apart here. {}."),
        ({"about": "This page asks about “Split first”."}, "{}"),
    ],
)
def test_a_question_that_is_not_decided_is_not_graded(
    qapp: QApplication, reason: dict[str, str], sentence: str
) -> None:
    taught = lesson("one")
    sheet = taught.sheets[0]
    ask = replace(sheet.ask, right=None, answer="", **reason)
    taught = replace(taught, sheets=(replace(sheet, ask=ask), *taught.sheets[1:]))
    folded = Parsed(web.page(handout(taught))).inside["details"]
    assert sentence.format(*reason.values()) in folded
    assert "B: 4" not in folded
    assert not taught.sheets[0].lacks_figures


def test_what_is_not_asked_is_not_folded(page: Parsed) -> None:
    assert "The end." not in page.inside["details"]


def test_the_answer_of_an_exercise_is_folded_and_its_unknown_figures_are_explained(page: Parsed) -> None:
    assert "It gives ….\u200b".strip("\u200b") in page.inside["details"]
    assert "is a figure from your own code" in page.inside["p"]


def test_code_has_numbers_and_is_no_markup(page: Parsed) -> None:
    assert '  1 """Twice <b>."""' in page.inside["pre"]
    assert "b" not in page.seen or '"""Twice <b>."""' in page.inside["code"]


def test_findings_and_circumstances_are_reported(page: Parsed) -> None:
    assert "A <bug>. twice, line 9" in page.inside["li"]
    assert "Python 3.11; jax 0.10.2; cpu:0; n = 2; seed = 0" in page.inside["p"]


def test_lessons_lead_to_each_other(qapp: QApplication) -> None:
    made = Parsed(web.page(handout(lesson("one"), lesson("two", needs=("one", "elsewhere")))))
    assert made.links.count("#lesson-1") == 2
    assert made.links.count("#lesson-2") == 1


def test_markdown_becomes_short_html(qapp: QApplication) -> None:
    assert of_markdown("a *b* `c <`\n\n1. x\n   - y\n2. z") == (
        "<p>a <em>b</em> <code>c &lt;</code></p><ol><li>x<ul><li>y</li></ul></li><li>z</li></ol>"
    )


def test_pictures_of_a_story_are_in_the_page_and_others_are_not(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(b"<svg/>")
    assert "data:image/svg+xml;base64," in of_markdown("![seen](a.svg)", str(tmp_path))
    assert of_markdown("![seen](../a.svg)", str(tmp_path / "below")) == "<p>seen</p>"


def test_links_lead_to_the_web_alone(qapp: QApplication) -> None:
    assert of_markdown("[a](https://jax.dev) [b](file:///etc/passwd)") == '<p><a href="https://jax.dev">a</a> b</p>'


def test_a_picture_that_comes_twice_has_names_of_its_own_each_time(qapp: QApplication) -> None:
    drawn = (
        b'<?xml version="1.0"?><svg width="9" height="9"><defs><path id="l1"/></defs>'
        b'<use xlink:href="#l1"/><rect fill="url(#l1)"/></svg>'
    )
    first = lesson()
    sheet = replace(first.sheets[1], figures=(Figure(drawn, "a", "b", 9),))
    text = web.page(handout(replace(first, sheets=(sheet, sheet))))
    for name in ("p1-l1", "p2-l1"):
        assert text.count(f'id="{name}"') == text.count(f'href="#{name}"') == text.count(f"url(#{name})") == 1


def test_printed_the_answers_and_findings_stand_at_the_end(qapp: QApplication) -> None:
    told, _, printed = web.page(handout(lesson("one"), lesson("two"))).partition('<section class="on-paper">')
    assert [printed.count(each) for each in ("Answers: Lesson", "B: 4", "It gives …", "A &lt;bug&gt;.")] == [2] * 4
    assert told.count('<section class="on-screen">') == 2
    assert "details:not(.code), .on-screen { display: none; }" in told.partition("@media print")[2]
    without = replace(lesson(), sheets=lesson().sheets[1:], tasks=())
    assert "Answers" not in web.page(handout(without))
    assert web.page(handout(without)).count("A &lt;bug&gt;.") == 1


WIDE = """
[...document.querySelectorAll("main *:not(svg *)")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.tagName, each.getBoundingClientRect(), each.scrollWidth > each.clientWidth + 1])
  .filter(([name, place, cut]) => place.right > innerWidth + 1 || (name === "PRE" && cut))
  .map(([name, place]) => `${name} ${place.right}`).join()
"""


@pytest.mark.skipif(browser() is None, reason="needs a browser")
def test_printed_nothing_is_cut(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    told = lesson()
    code = panes.plain("long.py", "\n".join("x" * length for length in range(40, 240, 20)))
    drawing = '<?xml version="1.0"?><svg width="{0}" height="{1}" viewBox="0 0 {0} {1}"><rect/></svg>'
    figures = tuple(Figure(drawing.format(*size).encode(), "", "", size[0]) for size in ((2400, 90), (300, 3000)))
    text = "\n\n".join(["word " * 200, "w" * 200, *(f"{each}. " + "한글 " * 90 for each in range(9, 12))])
    sheet = replace(told.sheets[1], text=text, figures=figures, listings=(code,))
    file = tmp_path / "page.html"
    file.write_text(web.page(handout(replace(told, code=code, sheets=(told.sheets[0], sheet)))), encoding="utf-8")
    with Browser(tmp_path / "browser") as page:
        page.open(file.as_uri())
        # The width of A4 within its margins.
        page.look(688, medium="print")
        loaded = "document.querySelector('footer') && document.readyState"
        qtbot.waitUntil(lambda: page.value(loaded) == "complete", timeout=20_000)
        assert page.value(WIDE) == ""
        assert page.value("Math.max(...[...document.querySelectorAll('svg')].map((each) => each.clientHeight))") < 900
        page.look(688)
        assert "PRE" in page.value(WIDE)
