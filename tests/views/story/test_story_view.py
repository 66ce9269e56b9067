"""A story is shown page by page, asks before it explains, and a program without one takes one line."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextBrowser, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.scenario.page import Page, PageExercise, PageQuestion
from tests.views.contrast import contrast
from tests.views.made import put_up
from views.story.choice_bar import MOST_PX, ChoiceBar, in_lines
from views.story.story_view import GAP, StoryView, _ends_of_lines
from views.story.vote_bars import VoteBars, VoteTally
from views.theme import DARK, LIGHT, PROJECTOR, Theme, apply_to_tree, chosen

FIRST = Page("Told", "", 0, 3, "Look", "See `one key` here.")
SECOND = replace(FIRST, place=1, number=1, heading="Why", text="Because.")
ASKED = replace(SECOND, ask=PageQuestion("Are `rows` equal?", ("Yes", "No")), revealed=False)
ANSWERED = replace(
    ASKED,
    ask=PageQuestion("Are `rows` equal?", ("Yes", "No"), 0, (True, False), "both are"),
    revealed=True,
    reveal="So it is.",
)
LAST = Page(
    "Told",
    "",
    2,
    3,
    "Try it",
    number=2,
    tasks=(PageExercise("Mend `f`.", True), PageExercise("Break `g`.", False, "g")),
)
LONG = replace(FIRST, text="line\n\n" * 60)


@pytest.fixture
def view(qtbot: QtBot) -> StoryView:
    made = put_up(qtbot, StoryView(), 450, 330)
    made.show_page(FIRST)
    return made


def text(view: StoryView) -> QTextBrowser:
    return view.findChild(QTextBrowser)


def words(view: StoryView) -> list[str]:
    """Return the texts of the labels in sight."""
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible() and label.text()]


def button(view: StoryView, name: str) -> QToolButton:
    return next(each for each in view.findChildren(QToolButton) if each.accessibleName() == name)


def choices(view: StoryView) -> list[str]:
    return [each.text() for each in view.findChildren(QPushButton) if each.isVisible()]


def focus(view: StoryView, qtbot: QtBot) -> None:
    view.activateWindow()
    text(view).setFocus()
    qtbot.waitUntil(text(view).hasFocus)


def test_a_page_says_where_it_is(view: StoryView) -> None:
    assert words(view) == ["Told", "1 of 3"]
    assert text(view).toPlainText() == "Look\nSee one key here."
    assert not button(view, "Previous step").isEnabled()
    view.show_page(LAST)
    assert not button(view, "Next step").isEnabled()


def test_buttons_and_page_keys_ask_for_the_next_page(view: StoryView, qtbot: QtBot) -> None:
    focus(view, qtbot)
    view.show_page(SECOND)
    with qtbot.waitSignal(view.next_wanted):
        qtbot.mouseClick(button(view, "Next step"), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.previous_wanted):
        qtbot.mouseClick(button(view, "Previous step"), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.next_wanted):
        qtbot.keyClick(text(view), Qt.Key.Key_PageDown)
    with qtbot.waitSignal(view.previous_wanted):
        qtbot.keyClick(text(view), Qt.Key.Key_PageUp)


def test_a_page_key_reads_a_long_page_to_its_end_first(view: StoryView, qtbot: QtBot) -> None:
    view.show_page(LONG)
    focus(view, qtbot)
    bar = text(view).verticalScrollBar()
    with qtbot.assertNotEmitted(view.next_wanted):
        qtbot.keyClick(text(view), Qt.Key.Key_PageDown)
    assert bar.value() > 0
    below = int(text(view).document().documentMargin())
    for hidden in (below + text(view).fontMetrics().height(), below):
        bar.setValue(bar.maximum() - hidden)
        with qtbot.waitSignal(view.next_wanted, raising=False, timeout=0) as turned:
            qtbot.keyClick(text(view), Qt.Key.Key_PageDown)
        assert turned.signal_triggered == (hidden == below), "the last line is seen without the margin below it"
    left = bar.value()
    view.show_page(replace(SECOND, title=LONG.title, place=LONG.place + 1))
    view.previous_wanted.connect(partial(view.show_page, LONG))
    view.read_back()
    assert abs(bar.value() - left) < 2 * text(view).fontMetrics().height(), "back on it, it is as it was left"


def test_newer_figures_leave_the_text_where_it_is_and_another_page_begins_at_its_top(view: StoryView) -> None:
    view.show_page(LONG)
    bar = text(view).verticalScrollBar()
    bar.setValue(50)
    view.show_page(replace(LONG, text=LONG.text + "more"))
    assert bar.value() == 50
    view.show_page(replace(LONG, place=1))
    assert bar.value() == 0
    apply_to_tree(view, chosen("light", 1.2, 1.0, 1.0))
    view.show_page(replace(ANSWERED, place=2, text=LONG.text))
    QApplication.processEvents()
    assert text(view).cursorForPosition(QPoint(20, 12)).block().text() == "Are rows equal?", "a room has read the rest"


# -- questions --------------------------------------------------------------------------------


def test_a_question_is_whole_however_narrow_the_story_is(view: StoryView, qtbot: QtBot) -> None:
    asked = replace(
        ASKED, ask=PageQuestion("Are the first and the last row of `rows` equal in every run?", ("Yes", "No"))
    )
    view.show_page(asked)
    view.resize(160, view.minimumHeight())
    question = next(each for each in view.findChildren(QLabel) if each.accessibleName().startswith("Are the first"))
    qtbot.waitUntil(lambda: view.height() == view.minimumHeight() and question.width() <= 160)
    assert question.height() >= question.heightForWidth(question.width())


def test_words_that_are_scrolled_above_a_question_end_with_a_whole_line_and_a_gap(view: StoryView) -> None:
    view.show_page(replace(ASKED, text="word " * 300))
    for height in range(280, 300, 3):
        view.resize(450, height)
        QApplication.processEvents()
        words, last = text(view), text(view).cursorForPosition(QPoint(20, text(view).height() - 3))
        assert words.verticalScrollBar().maximum() > 0
        assert words.height() - 1 <= words.cursorRect(last).bottom() + 1 <= words.height()
        bar = view.findChild(ChoiceBar)
        assert bar is not None
        assert bar.y() - words.height() == LIGHT.px(GAP)


def test_a_question_has_a_button_for_each_choice_with_its_key_and_holds_the_answer_back(view: StoryView) -> None:
    view.show_page(ASKED)
    assert "Are rows equal?" in [label.accessibleName() for label in view.findChildren(QLabel) if label.isVisible()]
    assert choices(view) == ["\u2460   Yes", "\u2461   No"]
    assert text(view).toPlainText() == "Why\nBecause."
    assert button(view, "Next step").isEnabled()
    view.give_up_keys(True)
    assert choices(view) == ["\u24b6   Yes", "\u24b7   No"]
    view.give_up_keys(False)
    assert choices(view) == ["\u2460   Yes", "\u2461   No"]


def test_a_new_term_of_a_question_is_set_in_italics_and_a_product_is_not(view: StoryView) -> None:
    view.show_page(replace(ASKED, ask=PageQuestion("Is `2 * x` *linear*?", ("Yes", "No"))))
    (shown,) = [each.text() for each in view.findChildren(QLabel) if each.accessibleName() == "Is 2 * x linear?"]
    assert "2 * x</span> <i>linear</i>?" in shown


def test_a_click_and_a_number_key_choose(view: StoryView, qtbot: QtBot) -> None:
    view.show_page(ASKED)
    focus(view, qtbot)
    with qtbot.waitSignal(view.choice_made) as clicked:
        qtbot.mouseClick(view.findChild(ChoiceBar).buttons[1], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.choice_made) as typed:
        qtbot.keyClick(text(view), Qt.Key.Key_1)
    assert (clicked.args, typed.args) == ([1], [0])
    with qtbot.assertNotEmitted(view.choice_made):
        qtbot.keyClick(text(view), Qt.Key.Key_3)


@pytest.mark.parametrize(
    ("chosen", "right", "verdict"),
    [
        (0, (True, False), "✓ Right: both are."),
        (1, (True, False), "✗ No, not “No”. Answer: both are."),
        (None, (True, False), "→ Answer: both are."),
        (0, None, "The answer is not known yet: the run or the times are still to come."),
    ],
)
def test_the_answer_is_reported_in_words_before_the_reveal(
    view: StoryView, chosen: int | None, right: tuple[bool, ...] | None, verdict: str
) -> None:
    view.show_page(ASKED)
    view.show_page(replace(ANSWERED, ask=PageQuestion("Are `rows` equal?", ("Yes", "No"), chosen, right, "both are")))
    lines = [line for line in text(view).toPlainText().splitlines() if line]
    assert lines == ["Why", "Because.", "Are rows equal?", verdict, "So it is."]
    assert choices(view) == []


def test_where_times_cannot_decide_nothing_is_right_or_wrong_and_the_times_are_shown(view: StoryView) -> None:
    ask = PageQuestion("Which is slower?", ("f", "g"), 0, undecided="f (jit) 1.1 µs, g (jit) 1 µs: 0.9 to 1.3 times")
    view.show_page(ASKED)
    view.show_page(replace(ANSWERED, ask=ask))
    lines = text(view).toPlainText()
    assert f"Not graded: this machine cannot tell the choices apart here. {ask.undecided}." in lines
    assert not any(sign in lines for sign in "✓✗→")


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR])
def test_the_answer_stands_in_a_box_in_the_colour_of_right_or_wrong_and_is_read_there(
    view: StoryView, theme: Theme
) -> None:
    apply_to_tree(view, theme)
    for choice, colour in ((0, theme.good), (1, theme.bug), (None, theme.text)):
        view.show_page(
            replace(ANSWERED, ask=PageQuestion("Are `rows` equal?", ("Yes", "No"), choice, (True, False), "both"))
        )
        cursor = text(view).document().find("both")
        assert cursor.charFormat().foreground().color().name() == colour
        box = cursor.currentFrame()
        assert box is not text(view).document().rootFrame()
        ground = box.frameFormat().background().color()
        assert ground.name() != theme.background
        assert contrast(QColor(colour), ground) >= 4.5
        assert contrast(QColor(theme.text), ground) >= 4.5
        assert text(view).document().find("So it is").currentFrame() is text(view).document().rootFrame()


STAGE, LINES = replace(LIGHT, least_capital=1.0), "line\n\n" * 30


@pytest.mark.parametrize(("theme", "reveal"), [(LIGHT, LINES), (STAGE, LINES), (STAGE, "So it is.")])
def test_a_long_page_shows_its_answer_once_it_is_revealed_and_begins_again_without_it(
    view: StoryView, theme: Theme, reveal: str
) -> None:
    apply_to_tree(view, theme)
    view.show_page(replace(ASKED, text=LINES))
    view.show_page(replace(ANSWERED, text=LINES, reveal=reveal))
    QApplication.processEvents()
    top = text(view).cursorForPosition(QPoint(20, 20)).block().text()
    assert top == "Are rows equal?"
    view.show_page(replace(ASKED, text=LINES))
    assert text(view).verticalScrollBar().value() == 0


def test_choices_that_do_not_fit_side_by_side_stand_in_rows(qtbot: QtBot) -> None:
    bar = put_up(qtbot, ChoiceBar())
    apply_to_tree(bar, LIGHT)
    bar.show_question("Which?", tuple(f"TracerBoolConversionError{number}" for number in range(3)))
    bar.resize(1200, 100)
    qtbot.waitUntil(lambda: len({each.y() for each in bar.buttons}) == 1)
    bar.resize(300, 200)
    qtbot.waitUntil(lambda: len({each.y() for each in bar.buttons}) == 3)
    assert all(each.geometry().right() <= 300 for each in bar.buttons)


def test_a_choice_that_is_wider_than_the_pane_has_lines(qtbot: QtBot) -> None:
    bar = put_up(qtbot, ChoiceBar())
    apply_to_tree(bar, LIGHT)
    words = "the same row 32 times: the same key gives the same numbers, whoever asks"
    bar.show_question("Why?", (words, "no"))
    bar.resize(320, 200)
    first = bar.buttons[0]
    qtbot.waitUntil(lambda: "\n" in first.text())
    assert " ".join(first.text().split()).endswith(words)
    assert first.accessibleName() == words
    assert first.geometry().right() <= 320
    bar.resize(1200, 200)
    qtbot.waitUntil(lambda: 320 < first.width() <= MOST_PX)


def test_choices_keep_their_lines_when_a_scroll_bar_goes_so_that_it_stays_away(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = ChoiceBar(window)
    apply_to_tree(bar, LIGHT)
    bar.show_question("When?", ("in the first step: the data are bad", "later"))
    bar.resize(1200, 200)
    window.show()
    first, widest = bar.buttons[0], bar.buttons[0].sizeHint().width() + 2 * LIGHT.px(12)
    for width, lines in ((widest, 1), (widest - 14, 2), (widest, 2), (widest + 40, 1)):
        bar.resize(width, 200)
        assert first.text().count("\n") == lines - 1


# -- exercises --------------------------------------------------------------------------------


def test_exercises_are_ticked_and_lead_to_their_variant(view: StoryView, qtbot: QtBot) -> None:
    view.show_page(LAST)
    assert text(view).toPlainText() == "Try it\nMend f. ✓ done\nBreak g. Select g"
    cursor = QTextCursor(text(view).document())
    cursor.setPosition(text(view).toPlainText().index("Select") + 2)
    link = cursor.charFormat().anchorHref()
    place = text(view).cursorRect(cursor).center()
    with qtbot.waitSignal(view.variant_wanted) as wanted:
        qtbot.mouseClick(text(view).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (link, wanted.args) == ("variant:g", ["g"])


@pytest.mark.parametrize(("chosen", "words"), [(0, "You counted twice."), (1, ""), (None, "")])
def test_a_wrong_choice_is_told_why_inside_the_box_of_the_verdict(
    view: StoryView, chosen: int | None, words: str
) -> None:
    ask = PageQuestion("How many?", ("2", "1"), chosen, (False, True), "1", ("You counted `twice`.", ""))
    view.show_page(replace(LAST, tasks=(), ask=ask, reveal="It is one.", revealed=True))
    document = text(view).document()
    (box,) = document.rootFrame().childFrames()
    cursor = box.firstCursorPosition()
    cursor.setPosition(box.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    boxed = cursor.selection().toPlainText()
    assert boxed.startswith("How many?")
    assert boxed.endswith(words)
    assert ("counted" in document.toPlainText()) == bool(words)


def test_the_wrong_choice_of_most_of_a_room_is_told_why(view: StoryView) -> None:
    ask = PageQuestion("How many?", ("2", "1", "0"), None, (False, True, False), "1", ("Twice.", "", "None."))
    view.show_page(replace(LAST, tasks=(), ask=ask, reveal="It is one.", revealed=True))
    for votes, words in (((5, 9, 7), "Not Ⓒ: None."), ((1, 9, 0), "Not Ⓐ: Twice."), ((0, 9, 0), "")):
        view.show_tally(VoteTally(ask.choices, (votes,), ask.right, revealed=True))
        shown = text(view).toPlainText()
        assert [each for each in ("Not Ⓐ: Twice.", "Not Ⓒ: None.") if each in shown] == ([words] if words else [])


@pytest.mark.parametrize(("answer", "verdict"), [("1", "→ Answer: Ⓑ."), ("1 row", "→ Answer: 1 row.")])
def test_next_to_votes_the_right_answer_comes_first_by_its_letter(view: StoryView, answer: str, verdict: str) -> None:
    ask = PageQuestion("How *many*?", ("2", "1"), None, (False, True), answer, ("Twice.", ""))
    view.show_page(replace(LAST, tasks=(), ask=ask, reveal="It is one.", revealed=True))
    assert f"→ Answer: {answer}." in text(view).toPlainText()
    view.show_tally(VoteTally(ask.choices, ((5, 9),), ask.right, revealed=True))
    (box,) = text(view).document().rootFrame().childFrames()
    cursor = box.firstCursorPosition()
    cursor.setPosition(box.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    boxed = cursor.selection().toPlainText().splitlines()
    assert boxed == ["How many?", verdict, "Not Ⓐ: Twice."]


@pytest.mark.parametrize(("right", "named"), [((False, True, False, False), "BC"), (None, "ABCD")])
def test_where_votes_leave_no_room_only_the_choices_that_matter_have_words(
    view: StoryView, right: tuple[bool, ...] | None, named: str
) -> None:
    choices = tuple("because of a word, and of another word " * 3 for _ in "ABCD")
    tally = VoteTally(choices, ((1, 9, 5, 2),), right, revealed=True)
    bars = view.findChild(VoteBars)
    titles = bars._titles(tally, 300)
    assert "".join(letter for letter, title in zip("ABCD", titles, strict=True) if title) == named
    for title in filter(None, titles):
        assert " ".join(title).split()[-24:] == choices[0].split()


def test_an_exercise_that_only_looks_done_says_what_is_missing(view: StoryView) -> None:
    view.show_page(replace(LAST, tasks=(PageExercise("Do it.", False, missing="it raises ValueError, with size = 7"),)))
    assert text(view).toPlainText().endswith("Do it. Not yet: it raises ValueError, with size = 7.")
    view.show_page(replace(LAST, tasks=(PageExercise("Do it.", False, checking=True),)))
    assert text(view).toPlainText().endswith("Do it. Checking …")


def test_the_answer_of_an_exercise_stands_below_it_and_comes_into_sight(view: StoryView) -> None:
    undone = tuple(PageExercise(f"Do `f{number}`.", False) for number in range(30))
    view.show_page(replace(LAST, tasks=undone))
    assert "Because" not in text(view).toPlainText()
    view.show_page(
        replace(LAST, tasks=(*undone[:-1], PageExercise("Do `f29`.", True, "", "Because of `x`, ✓ or not.")))
    )
    assert text(view).toPlainText().endswith("Do f29. ✓ done\nBecause of x, ✓ or not.")
    bar = text(view).verticalScrollBar()
    assert 0 < bar.value() <= bar.maximum()
    cursor = QTextCursor(text(view).document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    assert text(view).viewport().rect().contains(text(view).cursorRect(cursor))
    cursor.setPosition(text(view).toPlainText().index("Because") + 2)
    assert cursor.currentList() is None or cursor.currentList().count() == 30
    plain_colour = cursor.charFormat().foreground().color()
    cursor.setPosition(text(view).toPlainText().index("✓ done") + 2)
    assert cursor.charFormat().foreground().color() == QColor(LIGHT.good) != plain_colour


# -- other programs ---------------------------------------------------------------------------


def test_a_program_without_a_story_leaves_the_room_to_the_code(view: StoryView) -> None:
    tall = view.minimumHeight()
    view.show_page(Page("bare.py"))
    assert words(view) == ["bare.py", "Your own file: edit the code, the panes follow."]
    assert not text(view).isVisible()
    assert view.maximumHeight() < tall
    view.show_page(FIRST)
    assert (view.minimumHeight(), view.maximumHeight() > 10_000) == (tall, True)


def test_a_story_of_one_page_needs_no_buttons(view: StoryView) -> None:
    view.show_page(replace(FIRST, count=1))
    assert words(view) == ["Told"]
    assert not button(view, "Next step").isVisible()


def test_what_is_wrong_with_a_scenario_is_reported(view: StoryView) -> None:
    view.show_page(Page("B", "scenario.toml is broken."))
    assert "scenario.toml is broken." in words(view)


# -- code that was edited ---------------------------------------------------------------------


def test_a_page_whose_code_is_edited_says_so_and_offers_the_original(view: StoryView, qtbot: QtBot) -> None:
    sentence = "The code is edited: this page is about the original"
    assert sentence not in words(view)
    view.show_page(replace(FIRST, edited=True))
    assert sentence in words(view)
    both, original = (each for each in view.findChildren(QPushButton) if each.isVisible())
    with qtbot.waitSignal(view.both_wanted):
        qtbot.mouseClick(both, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(view.original_wanted):
        qtbot.mouseClick(original, Qt.MouseButton.LeftButton)
    view.show_page(replace(FIRST, edited=True, with_original=True))
    assert choices(view) == ["Restore the original"]
    view.show_page(FIRST)
    assert sentence not in words(view)


def test_after_an_answer_the_keyboard_is_in_the_story_and_all_of_it_is_in_sight(view: StoryView, qtbot: QtBot) -> None:
    view.resize(450, 500)
    view.show_page(ASKED)
    first = next(each for each in view.findChildren(QPushButton) if each.isVisible())
    focus(view, qtbot)
    first.setFocus()
    assert first.hasFocus()
    view.show_page(ANSWERED)
    assert text(view).hasFocus()
    qtbot.waitUntil(lambda: text(view).verticalScrollBar().maximum() == 0)


def test_of_edited_code_a_verdict_says_whose_answer_is_missing(view: StoryView) -> None:
    view.show_page(replace(ANSWERED, ask=PageQuestion("Are `rows` equal?", ("Yes", "No"), 0), edited=True))
    assert "The answer is for the original code, which has not run here" in text(view).toPlainText()


# -- the words next to votes ------------------------------------------------------------------------------------------


WORDS = "sample(jax.random.key(0), shape=(1000, 3)) draws three numbers for each of a thousand examples"


def test_no_line_is_cut_while_there_are_further_ones_and_only_the_last_where_there_are_none(qapp: QApplication) -> None:
    metrics = QFontMetricsF(LIGHT.font())
    for width in range(60, 700, 7):
        lines = in_lines(WORDS, metrics, width, 100)
        assert max(map(metrics.horizontalAdvance, lines)) <= width
        assert "".join(lines).replace(" ", "") == WORDS.replace(" ", "")
    for width in (20, 60, 200):
        first, last = in_lines(WORDS, metrics, width, 2)
        assert (first.endswith("…"), last.endswith("…")) == (False, True)


def test_once_an_audience_votes_no_line_is_cut_and_the_next_press_reveals(view: StoryView, qtbot: QtBot) -> None:
    view.give_up_keys(True)
    view.resize(450, 500)
    view.show_page(replace(ASKED, text="line " * 300))
    words = text(view)
    for tally in (None, VoteTally(("Yes", "No"), ((29, 0),))):
        high = words.height()
        view.show_tally(tally)
        qtbot.waitUntil(lambda: words.height() == words.maximumHeight() < words.document().size().height())
    assert words.height() == high, "no line gives way to the count"
    with qtbot.waitSignal(view.next_wanted):
        view.read_on()


def test_next_to_votes_each_press_brings_new_lines_until_the_next_page(view: StoryView, qtbot: QtBot) -> None:
    apply_to_tree(view, chosen("light", 1.5, least=1.0))
    view.give_up_keys(True)
    view.resize(430, 560)
    words = "`forward` multiplies by the slope, `2 x`, and then by the weights: the order of the code. " * 5
    turned: list[object] = []
    view.next_wanted.connect(partial(turned.append, None))
    view.show_page(replace(ANSWERED, reveal=f"{words}\n\n{words}"))
    view.show_tally(VoteTally(("Yes", "No"), ((29, 1),), (True, False), revealed=True))
    bar, bars, seen = text(view).verticalScrollBar(), view.findChild(VoteBars), []
    high = bars.sizeHint().height()

    def is_cut() -> bool:
        return any(1 < end - bar.value() < 9 for end in _ends_of_lines(text(view).document()))

    qtbot.wait(120)
    ends = [end - bar.value() for end in _ends_of_lines(text(view).document(), whole=True)]
    assert any(abs(end - text(view).height()) < 2 for end in ends), "no sentence goes on behind the bars"
    while not turned and len(seen) < 9:
        qtbot.wait(120)
        assert not is_cut(), "the line above is cut at the top"
        seen.append(bar.value())
        view.read_on()
    assert turned
    assert bars.sizeHint().height() < high, "the words of the choices make room"
    assert all(later - earlier > 20 for earlier, later in pairwise(seen))
    while bar.value():
        view.read_back()
        assert not is_cut(), "nor on the way back"
    with qtbot.waitSignal(view.page_before_wanted):
        view.read_back()


def test_a_box_that_there_is_room_for_is_not_cut(view: StoryView) -> None:
    view.show_page(ANSWERED)
    document = text(view).document()
    (box,) = document.rootFrame().childFrames()
    ends = [set(_ends_of_lines(document, room)) for room in (0, 500)]
    assert ends[1] - ends[0] == {document.documentLayout().frameBoundingRect(box).bottom()}
    assert len(ends[0]) > len(ends[1])


def test_votes_keep_all_their_lines_when_the_story_gets_narrower(view: StoryView, qtbot: QtBot) -> None:
    choices = ("a row for each example, drawn anew each time", "the same row for all the examples of the batch")
    view.show_page(replace(ANSWERED, ask=PageQuestion("Which?", choices, None, (False, True), choices[1])))
    view.show_tally(VoteTally(choices, ((5, 9),), (False, True), revealed=True))
    bars = view.findChild(VoteBars)
    for width in (430, 230):
        view.resize(width, 600)
        qtbot.waitUntil(lambda: bars.height() == bars.heightForWidth(bars.width()))


def test_the_mistake_that_is_explained_is_the_one_that_is_still_believed() -> None:
    before, right = (5, 3, 1), (False, False, True)
    assert VoteTally(("a", "b", "c"), (before,), right).most_voted_wrong == 0
    assert VoteTally(("a", "b", "c"), (before, (0, 4, 5)), right).most_voted_wrong == 1
    assert VoteTally(("a", "b", "c"), (before, (0, 0, 9)), right).most_voted_wrong == 0


def test_equal_votes_have_equal_shares() -> None:
    tally = VoteTally(("a", "b", "c"), ((3, 4, 1), (1, 1, 1), (0, 0, 0)))
    shares = [[tally.percent(number, choice) for choice in range(3)] for number in range(3)]
    assert shares == [[38, 50, 13], [33, 33, 33], [0, 0, 0]]
