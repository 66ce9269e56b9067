"""The list of scenarios groups, finds, marks and chooses."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from explorer.library import library
from explorer.scenario.scenario import Course, Provenance, Scenario, Step
from explorer.scenario.texts import Texts
from tests.views.made import hold, put_up
from views.story.scenario_list import ScenarioList
from views.theme import DARK, apply_to_tree


def scenario(
    name: str, chapter: int = 0, origin: Provenance = "built-in", story: str = "", problem: str = "", code: str = ""
) -> Scenario:
    """Return a scenario titled after its id, in English and Korean."""
    stories = {"en": (Step("Look", story),)} if story else {}
    title = Texts(name.capitalize(), ko=f"{name} 제목")
    return Scenario(name, origin, f"/{name}.py", code, title, chapter, stories=stories, problem=problem)


SCENARIOS = (
    scenario("keys", 1),
    scenario("noise", 2, story="Every row is the same."),
    scenario("dropout", 2, code="def mask(key): return bernoulli(key)"),
    scenario("course", 0, "package"),
    scenario("trial", 0, "mine", problem="scenario.toml is not valid TOML."),
)


@pytest.fixture
def view(qtbot: QtBot) -> ScenarioList:
    made = put_up(qtbot, ScenarioList(), 280, 500)
    made.show_scenarios(SCENARIOS, frozenset({"dropout"}), frozenset(), "en")
    return made


def tree(view: ScenarioList) -> QTreeWidget:
    return view.findChild(QTreeWidget)


def search(view: ScenarioList) -> QLineEdit:
    return view.findChild(QLineEdit)


def rows(view: ScenarioList) -> dict[str, list[str]]:
    """Return the titles in sight under each group in sight."""
    found: dict[str, list[str]] = {}
    for place in range(tree(view).topLevelItemCount()):
        group = tree(view).topLevelItem(place)
        if not group.isHidden():
            children = [group.child(each) for each in range(group.childCount())]
            found[group.text(0)] = [child.text(0) for child in children if not child.isHidden()]
    return found


def item(view: ScenarioList, title: str) -> QTreeWidgetItem:
    (found,) = tree(view).findItems(title, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive, 0)
    return found


def test_scenarios_stand_under_their_chapters_and_ones_own_under_theirs_in_any_language(view: ScenarioList) -> None:
    assert rows(view) == {
        "Keys": ["Keys"],
        "Batches": ["Noise", "Dropout"],
        "From packages": ["Course"],
        "My lessons": ["Trial"],
    }
    view.show_scenarios(SCENARIOS, frozenset(), frozenset(), "ko")
    assert rows(view)["배치"] == ["noise 제목", "dropout 제목"]


def test_what_is_edited_or_broken_says_so(view: ScenarioList) -> None:
    assert [item(view, title).text(1) for title in ("Noise", "Dropout", "Trial")] == ["", "●", "problem"]
    assert item(view, "Dropout").data(0, Qt.ItemDataRole.AccessibleTextRole) == "Dropout, edited"
    assert "not valid TOML" in item(view, "Trial").toolTip(0)


def test_what_lacks_a_package_says_which(view: ScenarioList) -> None:
    lacking = msgspec.structs.replace(SCENARIOS[1], requires=("numpy", "no_such_package"))
    view.show_scenarios((lacking, *SCENARIOS[2:]), frozenset(), frozenset(), "en")
    assert "needs no_such_package" in item(view, "Noise · needs no_such_package").toolTip(0)
    assert (
        item(view, "Noise · needs no_such_package").data(0, Qt.ItemDataRole.AccessibleTextRole)
        == "Noise, needs no_such_package"
    )
    lacking = msgspec.structs.replace(SCENARIOS[1], requires=("no_such_package", "nor_this"))
    view.show_scenarios((lacking, *SCENARIOS[2:]), frozenset(), frozenset(), "en")
    assert "no_such_package, nor_this" in item(view, "Noise · needs no_such_package, nor_this").toolTip(0)


def test_what_is_done_says_so(view: ScenarioList) -> None:
    view.show_scenarios(SCENARIOS, frozenset({"noise"}), frozenset({"noise", "course"}), "en")
    assert [item(view, title).text(1) for title in ("Course", "Noise", "Dropout")] == ["✓", "● ✓", ""]
    assert item(view, "Noise").data(0, Qt.ItemDataRole.AccessibleTextRole) == "Noise, edited, done"
    assert "edited, done" in item(view, "Noise").toolTip(0)
    view.show_done(frozenset())
    assert item(view, "Course").text(1) == ""


def test_the_neighbours_are_those_in_sight(view: ScenarioList) -> None:
    view.show_current("noise")
    assert [view.neighbour(step) for step in (-2, -1, 1, 2, 3, 4)] == ["", "keys", "dropout", "course", "trial", ""]
    search(view).setText("제목 o")
    assert [view.neighbour(step) for step in (-1, 1)] == ["", "dropout"]


def test_ones_own_scenario_is_read_again_when_it_is_chosen_again(view: ScenarioList, qtbot: QtBot) -> None:
    view.show_current("trial")
    with qtbot.waitSignal(view.scenario_chosen) as chosen:
        tree(view).itemActivated.emit(item(view, "Trial"), 0)
    assert chosen.args == ["trial"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("drop", ["Dropout"]),
        ("ROW same", ["Noise"]),
        ("제목 keys", ["Keys"]),
        ("course", ["Course"]),
        ("bernoulli", ["Dropout"]),
        ("row missing", []),
    ],
)
def test_search_looks_for_every_word_in_titles_story_and_code(view: ScenarioList, words: str, found: list[str]) -> None:
    search(view).setText(words)
    assert [title for titles in rows(view).values() for title in titles] == found


def test_a_search_without_a_hit_says_so_and_escape_ends_it(view: ScenarioList, qtbot: QtBot) -> None:
    search(view).setText("nothing like it")
    assert "nothing like it" in next(label.text() for label in view.findChildren(QLabel) if label.isVisible())
    qtbot.keyClick(search(view), Qt.Key.Key_Escape)
    assert sum(len(titles) for titles in rows(view).values()) == len(SCENARIOS)
    assert not [label for label in view.findChildren(QLabel) if label.isVisible()]


def test_a_click_chooses_and_on_a_chapter_folds_it(view: ScenarioList, qtbot: QtBot) -> None:
    place = tree(view).visualItemRect(item(view, "Noise")).center()
    with qtbot.waitSignal(view.scenario_chosen) as chosen:
        qtbot.mouseClick(tree(view).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["noise"]
    place = tree(view).visualItemRect(item(view, "Batches")).center()
    with qtbot.assertNotEmitted(view.scenario_chosen):
        qtbot.mouseClick(tree(view).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not item(view, "Batches").isExpanded()


def test_the_down_key_leads_from_what_is_searched_for_to_what_was_found(view: ScenarioList, qtbot: QtBot) -> None:
    view.show_current("noise")
    view.setFocus()
    qtbot.keyClicks(view.focusProxy(), "drop")
    qtbot.keyClick(search(view), Qt.Key.Key_Down)
    with qtbot.waitSignal(view.scenario_chosen) as chosen:
        qtbot.keyClick(tree(view), Qt.Key.Key_Return)
    assert chosen.args == ["dropout"]


def test_the_open_scenario_is_selected_and_choosing_it_again_is_no_news(view: ScenarioList, qtbot: QtBot) -> None:
    view.show_current("noise")
    assert tree(view).currentItem().text(0) == "Noise"
    with qtbot.assertNotEmitted(view.scenario_chosen):
        tree(view).itemActivated.emit(item(view, "Noise"), 0)
    view.show_current("/elsewhere/file.py")
    assert tree(view).currentItem() is None


def test_a_theme_keeps_selection_search_and_folded_chapters(view: ScenarioList) -> None:
    view.show_current("noise")
    item(view, "From packages").setExpanded(False)
    apply_to_tree(view, replace(DARK, scale=1.5))
    assert tree(view).currentItem().text(0) == "Noise"
    assert not item(view, "From packages").isExpanded()
    assert item(view, "Batches").isExpanded()
    assert item(view, "Dropout").text(1) == "●"


def test_a_long_title_takes_two_lines_where_the_list_is_narrow_and_says_itself_on_hover(
    view: ScenarioList, qtbot: QtBot
) -> None:
    title = "Five ways to carry keys about"
    named = msgspec.structs.replace(scenario("ways", 1), title=Texts(title, ko=title))
    view.show_scenarios((*SCENARIOS, named), frozenset(), frozenset(), "en")

    def height(of: str) -> int:
        return tree(view).visualItemRect(item(view, of)).height()

    view.resize(400, 500)
    qtbot.waitUntil(lambda: height(title) == height("Noise"))
    view.resize(170, 500)
    qtbot.waitUntil(lambda: height(title) > 1.5 * height("Noise"))
    assert title in item(view, title).toolTip(0)


def test_what_has_the_words_in_its_title_comes_first(qtbot: QtBot) -> None:
    view = hold(qtbot, ScenarioList())
    view.show_scenarios(
        (
            scenario("first", 1, story="What comes with an if on a value."),
            scenario("an if on a value more", 2),
            scenario("second", 3),
            scenario("if_on a value", 3),
        ),
        frozenset(),
        frozenset(),
        "en",
    )
    search(view).setText("If on a value!")
    with qtbot.waitSignal(view.scenario_chosen) as chosen:
        qtbot.keyClick(search(view), Qt.Key.Key_Return)
    assert chosen.args == ["if_on a value"]
    search(view).setText("if on value")
    titles = [title for titles in rows(view).values() for title in titles]
    assert titles == ["An if on a value more", "If_on a value", "First"]
    search(view).clear()
    assert [title for titles in rows(view).values() for title in titles] == [
        "First", "An if on a value more", "Second", "If_on a value",
    ]  # fmt: skip


def _plain(title: str) -> str:
    return " ".join("".join(each if each.isalnum() or each == "_" else " " for each in title).split())


@pytest.mark.rest
def test_the_title_of_every_lesson_in_any_language_finds_that_lesson_first(view: ScenarioList, qtbot: QtBot) -> None:
    lessons = library.built_in()
    view.show_scenarios(lessons, frozenset(), frozenset(), "ko")
    for lesson in lessons:
        plain = {_plain(title) for title in lesson.title}
        spelt = {*lesson.title, *map(str.lower, lesson.title), *plain, *(each.replace("_", " ") for each in plain)}
        for words in sorted(spelt):
            search(view).setText(words)
            with qtbot.waitSignal(view.scenario_chosen) as chosen:
                qtbot.keyClick(search(view), Qt.Key.Key_Return)
            assert chosen.args == [lesson.id]
            assert next(iter(rows(view).values()))[0].startswith(lesson.title.text("ko"))


# -- courses ----------------------------------------------------------------------------------


COURSE = Course("short", Texts("A short one", ko="짧은 강의"), (SCENARIOS[2], SCENARIOS[0]), 45)


def test_a_course_lists_its_lessons_alone_in_its_order_and_leads_from_one_to_the_next(view: ScenarioList) -> None:
    assert view.findChild(QComboBox).isHidden()
    view.show_courses((COURSE,), "en")
    view.choose_course("short")
    assert rows(view) == {"A short one": ["Dropout", "Keys"]}
    view.show_current("dropout")
    assert (view.neighbour(1), view.neighbour(-1)) == ("keys", "")
    view.show_courses((COURSE,), "ko")
    assert view.findChild(QComboBox).currentText() == "짧은 강의"
    view.choose_course("")
    assert len(rows(view)) > 2


def test_a_search_is_over_all_lessons_those_of_the_course_first(view: ScenarioList) -> None:
    view.show_courses((COURSE,), "en")
    view.choose_course("short")
    view.show_current("keys")
    search(view).setText("noise")
    assert rows(view) == {"Batches": ["Noise"]}
    assert not any("No lesson" in each.text() for each in view.findChildren(QLabel) if not each.isHidden())
    search(view).setText("o")
    assert next(iter(rows(view))) == "A short one"
    assert len(rows(view)) > 2
    assert view.neighbour(-1, searched=False) == "dropout"
    assert view.neighbour(1, searched=False) == "", "a stage goes on in the course alone"
    search(view).clear()
    assert rows(view) == {"A short one": ["Dropout", "Keys"]}
    view.show_done(frozenset({"trial"}))
    view.show_current("trial")
    assert view.neighbour(1) == "dropout"
