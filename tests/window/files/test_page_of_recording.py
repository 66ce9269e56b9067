"""The page of a recording in a browser shows what the window shows of the same file, and works without a mouse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from explorer.commands.export import recording_page
from explorer.figures import array_rows
from explorer.library import recording_file
from explorer.messages import TOP_LEVEL, Focus
from explorer.messages.selection import FocusKind
from explorer.window import connections
from explorer.window.panes import view_in
from tests.browser import Browser, browser
from tests.library.recorded import recorded
from tests.library.small_programs import OTHER, PROGRAMS, START
from tests.window.ui import Ui, finish_steps
from views.code.problem_card import ProblemCard
from views.findings.finding_rows import MARKED_ROLE, ROW_ROLE, FindingRow
from views.keys.key_half import KeyHalf
from views.noise.noise_view import NoiseView
from views.text.line_text import LineText

pytestmark = pytest.mark.skipif(browser() is None, reason="needs a browser")

KINDS: dict[str, FocusKind] = {"f": "finding", "k": "key", "d": "draw", "r": "row", "l": "line"}
READ = """
(() => {
  const text = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent.trim());
  const things = document.querySelector("section").things;
  const links = document.querySelector("section").links;
  const lit = {}, missed = [];
  for (const [name, [thing]] of things) {
    thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const wanted = new Set([name, ...names(links[name][1])]);
    const found = new Set([...document.querySelectorAll("[aria-current]")].map((each) => each.dataset.thing));
    if ([...things.keys()].some((each) => wanted.has(each) !== found.has(each))) missed.push(name);
    lit[name] = [document.querySelector("footer").firstChild.textContent, [...wanted].sort()];
  }
  const keys = [...document.querySelectorAll("[role=treeitem][data-thing]")].map(
    (each) => [each.dataset.thing, each.lastChild.textContent.trim()]
  );
  const findings = [...document.querySelectorAll(".findings li > div:first-child:has(b)")].map(
    (each) => [...each.children].map((part) => part.textContent)
  );
  const tree = document.querySelector(".picture svg")?.ariaLabel ?? "";
  const curves = [...document.querySelectorAll(".rows [role=button]")].map(
    (each) => [each.dataset.thing, ...[...each.querySelectorAll("b, b + div")].map((part) => part.textContent)]
  );
  const rows = text(".rows > div > div");
  return JSON.stringify({ lit, missed, keys, findings, tree, curves, paragraphs: text("p"), rows });
})()
"""


@pytest.fixture
def browsed(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "browser") as page:
        yield page


def opened(browsed: Browser, path: Path, qtbot: QtBot) -> None:
    """Open the page of the recording at `path`."""
    page = path.with_suffix(".html")
    page.write_text(recording_page.page(recording_file.read(path)), encoding="utf-8")
    browsed.open(page.as_uri())
    qtbot.waitUntil(
        lambda: browsed.value("document.querySelector('footer') && document.readyState") == "complete", timeout=20_000
    )


def in_window(ui: Ui, names: list[str]) -> dict[str, Any]:
    """Return what the window shows of the open recording, and what it lights for each of the things in `names`."""
    finish_steps(ui.window)
    halves = [each for each in ui.window.findChildren(KeyHalf) if each.canvas.picture is not None]
    picture = halves[0].canvas.picture if halves else None
    listed = ui.window.findings.findChild(QListWidget)
    rows = [listed.item(place).data(ROW_ROLE) for place in range(listed.count())]
    shown: dict[str, Any] = {
        "findings": [[row.level, in_words(ui, row)] for row in rows if row.level],
        "tree": picture.words.description() if picture else "",
        "verdict": halves[0].verdict if halves else "",
        "keys": [],
        "lit": {},
        "curves": [],
    }
    noise = view_in(ui.window, NoiseView)
    for each in ui.session.snapshot.reports[0].calls if ui.session.snapshot else ():
        ui.session.choose_focus(Focus("line", each.span.line))
        found = noise.iterations.iterations
        assert noise.iterations.isVisibleTo(noise)
        title, _, words = noise.iterations.words.partition(": ")
        shown["curves"].append([f"l{each.span.line}", title, words, *(curve.name for curve in found.curves)])
    for name in names:
        number = int(name[1:])
        if picture is not None and name[0] == "k":
            place = int(picture.layout.place[number])
            shown["keys"].append([name, f"{picture.words.edge(number)[0]} {picture.story(place)}"])
        if picture is not None and name[0] == "d":
            shown["keys"].append([name, picture.words.draw(number)])
        ui.session.choose_focus(Focus(KINDS[name[0]], number, "" if name[0] == "l" else TOP_LEVEL))
        shown["lit"][name] = [ui.window.status.sentence(), sorted(lit_in_window(ui, listed, name, picture))]
    return shown


def in_words(ui: Ui, row: FindingRow) -> str:
    """Return the sentence of a row of the list, or the one below the code that it points to."""
    card = ui.window.findChild(ProblemCard)
    problem = card.shown_problem
    points_there = row.sentence.endswith("explained below the code")
    return problem.sentence if problem is not None and points_there else row.sentence


def lit_in_window(ui: Ui, listed: QListWidget, chosen: str, picture: Any) -> set[str]:
    """Return the names of all things that are marked, read off the widgets where these hold all of them."""
    code = ui.window.code.findChild(LineText)
    found = (
        listed.item(row).data(ROW_ROLE).finding for row in range(listed.count()) if listed.item(row).data(MARKED_ROLE)
    )
    keys = {int(picture.layout.node[place]) for place in picture.view().lit.marked.nonzero()[0]} if picture else ()
    rows = ui.session.marks().rows.get(TOP_LEVEL, frozenset())
    parts = (("l", (row + 1 for row in code.marks.marked)), ("f", found), ("k", keys), ("r", rows))
    # A draw is not marked in a tree that is too large to draw each.
    return {chosen, *(f"{letter}{number}" for letter, numbers in parts for number in numbers)}


@pytest.mark.rest
def test_every_label_and_every_focus_set_is_the_one_of_the_window(
    ui: Ui, browsed: Browser, qtbot: QtBot, tmp_path: Path
) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    lit_things = 0
    for number, (name, source) in enumerate(PROGRAMS.items()):
        run = recorded(START + source, OTHER if name == "another file" else "")
        path = tmp_path / f"{number}.jaxrec"
        recording_file.write(path, run)
        opened(browsed, path, qtbot)
        page = json.loads(browsed.value(READ))
        assert ui.desk.files.open_by_id(str(path))
        window = in_window(ui, [*dict(page["keys"]), *(each for each in page["lit"] if each[0] not in "kd")])
        assert page["tree"] == window["tree"], name
        assert page["keys"] == window["keys"], name
        assert window["verdict"] in page["paragraphs"] or not page["tree"], name
        assert page["findings"] == window["findings"], name
        assert page["lit"] == window["lit"], name
        assert page["curves"] == window["curves"], name
        assert bool(page["curves"]) == (name == "a training loop")
        assert not page["missed"], name
        for each in filter(array_rows.tells, run.report.pictures or ()):
            assert {f"{each.name} {each.dtype}{list(each.shape)}", str(each.verdict)} <= {*page["rows"]}, name
        lit_things += sum(len(lit) for _, lit in page["lit"].values())
    assert lit_things > 1000


def test_the_keyboard_alone_folds_chooses_and_ends(browsed: Browser, qtbot: QtBot, tmp_path: Path) -> None:
    run = recorded()
    report = msgspec.structs.replace(run.report, printed="x" * 1000)
    recording_file.write(tmp_path / "noisy.jaxrec", msgspec.structs.replace(run, report=report))
    opened(browsed, tmp_path / "noisy.jaxrec", qtbot)
    at = "document.activeElement.dataset.thing ?? document.activeElement.tagName"
    stops = []
    for _ in range(10):
        browsed.press("Tab")
        stops.append(browsed.value(at))
    # The finding with its two lines, the picture of the keys, the tree, the rows of two arrays, the code, the output.
    assert stops == ["f0", "A", "A", "DIV", "k0", "r0", "r0", "l1", "PRE", "BODY"]
    assert browsed.spoken().count(("region", "Output", True)) == 1
    output = "document.querySelector('pre')"
    assert browsed.value(f"{output}.scrollWidth > {output}.clientWidth")
    browsed.look(390, medium="print")
    assert browsed.value(f"{output}.scrollWidth === {output}.clientWidth")
    browsed.look(1280, medium="screen")
    for _ in range(5):
        browsed.press("Tab")
    walked = []
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "End", "Home", "ArrowLeft", "ArrowDown", "Enter"):
        browsed.press(key)
        walked.append(browsed.value(at))
    assert walked == ["k0", "d0", "k1", "k4", "k0", "k0", "k1", "k1"]
    assert browsed.value("document.querySelector('footer').textContent").startswith("Selected: key 0000000000000001")
    lit = "[...document.querySelectorAll('.code [aria-current]')].map((each) => each.dataset.thing).join()"
    assert browsed.value(lit) == "l10"
    browsed.value("document.querySelector('footer button:last-of-type').focus()")
    browsed.press("Enter", "\r")
    assert browsed.value(at) == "l10"
    browsed.press("Escape")
    assert browsed.value(f"{lit} + document.querySelector('footer').hidden") == "true"


def test_a_screen_reader_is_told_what_each_part_is(browsed: Browser, qtbot: QtBot, tmp_path: Path) -> None:
    recording_file.write(tmp_path / "noisy.jaxrec", recorded())
    opened(browsed, tmp_path / "noisy.jaxrec", qtbot)
    spoken = browsed.spoken()
    assert {role for role, name, takes in spoken if takes and not name} <= {"generic", "RootWebArea"}
    by_role = {role: [name for each, name, _ in spoken if each == role] for role, _, _ in spoken}
    assert by_role["tree"] == ["Keys"]
    assert by_role["treeitem"][0].startswith("seed 0 Key made from seed 0 on line 9")
    assert {*by_role["listbox"]} == {"Rows of normal, line 6", "Rows of uniform, line 11", "Code"}
    assert "example 0, like all rows A" in by_role["option"]
    assert by_role["button"][0].startswith("Bug 8 examples share one key")


def test_it_fits_a_phone_and_a_screen_light_and_dark_and_prints(browsed: Browser, qtbot: QtBot, tmp_path: Path) -> None:
    recording_file.write(tmp_path / "noisy.jaxrec", recorded())
    opened(browsed, tmp_path / "noisy.jaxrec", qtbot)
    for scheme, ground in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 28)")):
        for width in (390, 1280):
            browsed.look(width, scheme=scheme)
            assert browsed.value("document.documentElement.scrollWidth") <= width
            assert browsed.value("getComputedStyle(document.body).backgroundColor") == ground
    browsed.value("document.querySelector('[data-thing=k1]').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    browsed.look(390, medium="print")
    seen = "[...document.querySelectorAll('footer, [role=treeitem]')].map((each) => each.checkVisibility()).join()"
    assert browsed.value(seen) == ",".join(["true"] * 9 + ["false"])
