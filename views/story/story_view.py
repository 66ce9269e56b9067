"""The story of a scenario: one page at a time, with its question, in words large enough for the back row."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QPalette,
    QResizeEvent,
    QShortcut,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.messages import unmarked
from explorer.scenario.page import Page, PageExercise, PageQuestion
from views.parts import own_document
from views.parts.controls import fill, scrolled
from views.parts.labels import ShortLabel
from views.parts.markdown import block_of, blocks, fill_document, put_into_box
from views.parts.own_document import LESSON_SCHEME, SELECTION_SCHEME, TERM_SCHEME, VARIANT_SCHEME, TextBrowser
from views.story.choice_bar import ChoiceBar
from views.story.vote_bars import VoteBars, VoteTally, letter
from views.theme import BUG_TEXT, DIM_TEXT, Theme, Themed, dressed, grounded, lettered, spaced


class EditedBar(QWidget):
    """States that the page describes the original.

    Signals:
        both_wanted: the user wants the original next to the code.
        original_wanted: the user wants the original back.
    """

    both_wanted = Signal()
    original_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = QLabel(self.tr("The code is edited: this page is about the original"), wordWrap=True)
        self.both = QPushButton(self.tr("Show both"))
        self.both.setToolTip(self.tr("Shows the original next to the edited code"))
        self.both.clicked.connect(self.both_wanted)
        self._original = QPushButton(self.tr("Restore the original"))
        self._original.setToolTip(self.tr("Brings the original code back; one undo takes that back"))
        self._original.clicked.connect(self.original_wanted)
        buttons = spaced(QHBoxLayout(), spacing=8)
        buttons.addWidget(self.both)
        buttons.addWidget(self._original)
        buttons.addStretch()
        layout = spaced(QVBoxLayout(self), 12, 4, 8, 4, spacing=8)
        layout.addWidget(self._words)
        layout.addLayout(buttons)
        grounded(self, lambda theme: theme.fill_of(theme.note))
        self.setAccessibleName(self._words.text())


BOX_ROOM = 16
"""Pixels above the question at the top: the edge of its box and some air."""
SETTLED_MS = 100
"""Until everything next to the words has its new size."""
LEAST_HEIGHT = 120
"""Pixels that a story needs to be read, at text size 1."""
LEAST_WORDS = 70
"""Pixels of words above a question, at text size 1; where there are fewer, both are scrolled together."""
GAP = 8
"""Pixels between words that are scrolled and the question below them, at text size 1."""
UNBOUNDED = 16_777_215
"""Qt's own largest height of a widget (QWIDGETSIZE_MAX)."""
TITLE_LINES = 4
"""The most lines of the title on a stage, where it is narrow and large."""
RIGHT, WRONG, OUTCOME = "✓", "✗", "→"
"""The first characters of a verdict, which is distinct even without its colour."""
OUTCOME_INDENT = "   "
"""The indentation that makes a paragraph part of the numbered line above it, in Markdown."""


class StoryView(Themed, QWidget):
    """Shows a Page; a program without a story takes one line.

    Signals:
        next_wanted, previous_wanted, page_before_wanted: the user wants the next or previous half page, or page before.
        choice_made: the number of the choice, counted from 0.
        variant_wanted: the name of the variant that an exercise is about.
        selection_wanted: the user wants what the page is about.
        lesson_wanted, word_wanted: the id of the lesson, or of the term of the glossary, to show.
        both_wanted, original_wanted: the user wants to see the code that the page describes, next to the edited code or
            in its place.
    """

    next_wanted = Signal()
    previous_wanted = Signal()
    page_before_wanted = Signal()
    choice_made = Signal(object)
    variant_wanted = Signal(str)
    lesson_wanted = Signal(str)
    word_wanted = Signal(str)
    selection_wanted = Signal()
    both_wanted = Signal()
    original_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = Page()
        self._needs: Mapping[str, str] = {}
        self._words_taught: Mapping[str, str] = {}
        self._following: Mapping[str, str] = {}
        self._top_wanted, self._first_wanted, self._width_wanted = 0, 0, -1.0
        """Where the words were scrolled to, the first character in sight there, and how wide they were."""
        self._is_cut = False
        """Whether words are scrolled that have the room of whole lines."""
        self._left: dict[tuple[str, int], tuple[int, bool]] = {}
        """The first character in sight of each page that was left, and whether its bars were short."""
        self._layouts: dict[tuple[int, int, bool], tuple[int, Sequence[float]]] = {}
        """The height of this page's words, and the ends of their lines or paragraphs, by width and room."""
        self._title = lettered(ShortLabel(), bold=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._title.setForegroundRole(DIM_TEXT)
        self._problem = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._problem.setForegroundRole(BUG_TEXT)
        # It may name a command to be typed elsewhere.
        self._problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._place_label = QLabel()
        self._edited = EditedBar()
        self._previous = _arrow_button("‹")
        self._next = _arrow_button("›")
        self._next.setObjectName("next")
        self._sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._text = TextBrowser()
        self._choices = ChoiceBar()
        self._votes = VoteBars()
        self._page_keys: list[QShortcut] = []
        self._digits: list[QShortcut] = []
        self._gave_up_keys = False
        self._has_asked = False
        """Whether the reader was told to answer first."""
        self.setAutoFillBackground(True)
        self.setFocusProxy(self._text)
        self._lay_out()
        self._name_parts()
        self._connect()
        self._render()

    def show_page(self, page: Page) -> None:
        """Show `page`; a text that only has newer figures stays where it was scrolled to."""
        before, self._page = self._page, page
        turned = (before.title, before.place) != (page.title, page.place)
        self._has_asked = self._has_asked and not turned and not page.revealed
        if turned:
            first = self._first_in_sight(self._text.verticalScrollBar().value())
            self._left[before.title, before.place] = first, self._votes.is_short
        # A room that comes back to an answered page has read what is above the question.
        shows_answer = page.revealed and (self.theme.on_stage if turned else not before.revealed)
        pairs = zip(before.tasks, page.tasks, strict=False)
        outcomes = [new.outcome for old, new in pairs if new.outcome and not old.outcome]
        # An answer that is covered again leaves fewer words than were scrolled.
        self._render(to_top=turned or page.revealed != before.revealed)
        if shows_answer:
            self.bring_answer_into_sight()
        elif outcomes and (block := block_of(self._text.document(), outcomes[0])) is not None:
            # Above it stands what is done.
            self._scroll_to(self._top_of(block.previous().position()))

    def show_links(self, needs: Mapping[str, str], words: Mapping[str, str]) -> None:
        """Name on the first page the lessons that this one builds on, and at the end the words that it teaches.

        Both are titles by their ids.
        """
        if (needs, words) != (self._needs, self._words_taught):
            self._needs, self._words_taught = needs, words
            self._render()

    def show_next(self, lesson: Mapping[str, str]) -> None:
        """Name the next lesson at the end, its title by its id; on a stage an end page does that."""
        if lesson != self._following:
            self._following = lesson
            self._render()

    def show_tally(self, tally: VoteTally | None) -> None:
        """Show the votes on the page's question below it; their number alone has the room of the title."""
        before = self._votes.tally
        self._votes.show_tally(tally)
        self._write_title()
        if self._page.ask is not None and self._page.revealed:
            # The page says what most of the room got wrong, and leaves the answer to the bars.
            self._render()
        self._limit_height()
        if tally is not None and tally.revealed and before is not None and not before.revealed:
            # Where the page is wide or high as it will be only after what else changes with the answer.
            QTimer.singleShot(SETTLED_MS, self, self.bring_answer_into_sight)

    def apply_theme(self, theme: Theme) -> None:
        self._title.break_words(theme.on_stage)
        self._title.set_most_lines(TITLE_LINES if theme.on_stage else 2)
        self._render()

    def bring_answer_into_sight(self) -> None:
        """Scroll the answer to the top, where one is revealed and the page is too long to be seen whole."""
        ask = self._page.ask if self._page.revealed else None
        if ask is not None and (block := block_of(self._text.document(), ask.text)) is not None:
            self._scroll_to(self._top_of(block.position()))

    def _laid_out(self, width: int, room: int = 0, *, whole: bool = False) -> tuple[int, Sequence[float]]:
        """Return the height of this page's words at `width`, and where each line or `whole` paragraph ends."""
        if (width, room, whole) not in self._layouts:
            # No one owns a copy without a parent: it would stay for ever.
            document = self._text.own.twin(self)
            document.setTextWidth(max(1, width))
            high = int(document.size().height()) + self.theme.px(8)
            self._layouts[width, room, whole] = high, list(_ends_of_lines(document, room, whole=whole))
            document.deleteLater()
        return self._layouts[width, room, whole]

    def _whole_lines(self, room: int) -> int:
        """Return the height of the lines of the words, as they are scrolled, that are whole within `room`.

        Above bars with words, of the paragraphs: a sentence does not go on behind them.
        """
        bar = self._text.verticalScrollBar()
        width, has_words = self.width() - bar.sizeHint().width(), not (self._votes.isHidden() or self._votes.is_short)
        for whole in (True, False) if has_words else (False,):
            ends = [end - bar.value() for end in self._laid_out(width, room, whole=whole)[1]]
            if fitting := [end for end in ends if 0 < end <= room]:
                return round(max(fitting))
        return room

    @property
    def has_more(self) -> bool:
        """Whether it has more words than the reader has seen."""
        return self._unread() is not None

    def _unread(self) -> float | None:
        """Return where the words go on that are to be read yet. An audience that votes has read the page."""
        tally = self._votes.tally
        return self._next_top() if tally is None or tally.revealed else None

    def _next_top(self) -> float | None:
        """Return where the lines begin that are not seen whole, or where the last screenful does; None without any."""
        bar, ends = self._text.verticalScrollBar(), self._ends()
        seen = [end for end in ends if end <= bar.value() + bar.pageStep() + self.theme.px(2)]
        if len(seen) == len(ends):
            return None
        top = min([*seen[-1:], self._last_top()])
        return top if top > bar.value() + 1 else bar.value() + bar.pageStep()

    def _last_top(self) -> float:
        """Return where the last screenful of lines begins."""
        ends = self._ends()
        return next(end for end in ends if end >= ends[-1] - self._text.verticalScrollBar().pageStep())

    def _ends(self) -> list[float]:
        """Return where the words may be cut: between two lines, but not in a box that there is room for."""
        return list(_ends_of_lines(self._text.document(), self._text.verticalScrollBar().pageStep()))

    def read_on(self) -> None:
        """Scroll to the last line of this page first, then go to the next."""
        if (top := self._unread()) is None:
            self._go_on()
            return
        # The bars have been seen: the rest of the answer gets the room of their words.
        self._shorten_bars(True)
        if self._next_top() is not None:
            self._scroll_to(round(min(top, self._last_top())))

    def _shorten_bars(self, shorter: bool) -> None:
        self._votes.is_short = shorter
        self._votes.updateGeometry()
        self._limit_height()
        self._words_and_question.activate()

    def _go_on(self) -> None:
        asks = self._page.ask is not None and not self._page.revealed
        if asks and not self._has_asked and not self._gave_up_keys:
            self.ask_first()
        else:
            self.next_wanted.emit()

    def ask_first(self) -> None:
        """Point to the question that is open: the next wish to go on shows the answer without one."""
        self._has_asked = True
        self._render()
        if self._choices.buttons:
            self._choices.buttons[0].setFocus()

    def read_back(self) -> None:
        """Scroll to the beginning of this page first, then go to what was seen last of the previous."""
        bar, before = self._text.verticalScrollBar(), self._page
        if self.isVisible() and bar.value() > bar.minimum():
            top = bar.value() - bar.pageStep()
            self._scroll_to(round(next(end for end in self._ends() if end >= top)) if top > 0 else 0)
        else:
            (self.previous_wanted if self._votes.isHidden() else self.page_before_wanted).emit()
            left = self._left.get((self._page.title, self._page.place))
            if self._page.place != before.place and left is not None:
                first, is_short = left
                self._shorten_bars(is_short)
                self._scroll_to(self._top_of(first))

    def read_by(self, event: QKeyEvent) -> bool:
        """Read on or back by a key that no other part has taken; return whether it is one for that."""
        slot = next((slot for key, slot in self._by_page_key if event.matches(key)), None)
        if slot is None or self._gave_up_keys or not self._page.count:
            return False
        slot()
        return True

    def give_up_keys(self, given_up: bool) -> None:
        """Leave the page and number keys to the presentation, or take them back."""
        self._gave_up_keys = given_up
        self._choices.show_letters(given_up)
        for key in self._page_keys:
            key.setEnabled(not given_up)
        self._show_choices(self._page)

    # -- what it shows ------------------------------------------------------------------------

    def _render(self, *, to_top: bool = False) -> None:
        self._votes.is_short &= not to_top
        page, scrolled = self._page, 0 if to_top else self._text.verticalScrollBar().value()
        has_page = page.count > 0
        self.setBackgroundRole(QPalette.ColorRole.Base if has_page else QPalette.ColorRole.Window)
        self._text.own.set_folder(page.folder)
        self._write_title()
        self._problem.setText(unmarked(page.problem))
        # On a stage it is one more paragraph, which is scrolled away: the choices need the height.
        self._problem.setVisible(bool(page.problem) and not self.theme.on_stage)
        self._edited.setVisible(page.edited)
        self._edited.both.setVisible(not page.with_original)
        for part in (self._previous, self._place_label, self._next):
            part.setVisible(page.count > 1 or page.ask is not None)
        of = "{place}/{count}" if self.theme.on_stage else self.tr("{place} of {count}")
        self._place_label.setText(of.format(place=page.number + 1, count=page.count))
        self._previous.setEnabled(not page.is_first or (page.ask is not None and page.revealed))
        self._next.setEnabled(not page.is_last or not page.revealed)
        self._sentence.setText(self._words_without_story())
        self._sentence.setVisible(not has_page)
        self._text.setVisible(has_page)
        self._show_choices(page)
        if has_page:
            fill_document(self._text.document(), "\n\n".join(self._markdown(page)), self.theme)
            self._tint_done()
            if page.ask is not None and page.revealed:
                self._box_verdict(page.ask)
        self._layouts = {}
        # A bar above the words that came or went has changed their height.
        self._layout.invalidate()
        self._layout.activate()
        self._scroll_to(scrolled)

    def _write_title(self) -> None:
        """Write the title, or instead of it what the reader has to know now: no line of the story gives way."""
        tally = self._votes.tally
        counts = tally is not None and not tally.revealed
        self._title.setMinimumHeight(self._title.height() if counts else 0)
        if tally is not None and counts:
            self._title.setText(f"+ {tally.typed}…" if tally.typed else self._votes.words())
        else:
            self._title.setText(self.tr("Answer first, or › again to see it") if self._has_asked else self._page.title)

    def _scroll_to(self, value: int) -> None:
        """Scroll the words to `value`, also where they get their height only in the next turn of Qt's loop."""
        document = self._text.document()
        self._top_wanted, self._width_wanted, self._is_cut = value, document.textWidth(), True
        self._first_wanted = self._first_in_sight(value)
        self._scroll_again()
        if value:
            QTimer.singleShot(0, self, self._scroll_again)

    def _first_in_sight(self, top: int) -> int:
        """Return the first character of the words that are scrolled to `top`."""
        lines = (start for start, end in _lines(self._text.document()) if end > top + self.theme.px(2))
        return next(lines, 0)

    def _scroll_again(self) -> None:
        bar, document = self._text.verticalScrollBar(), self._text.document()
        if document.textWidth() != self._width_wanted:
            # Its lines are broken in other places: the same words are to be the first.
            self._top_wanted, self._width_wanted = self._top_of(self._first_wanted), document.textWidth()
        if self._is_cut:
            # It gets lower, as it ends with a whole line, and can be scrolled so far only then.
            bar.setMaximum(max(bar.maximum(), self._top_wanted))
        bar.setValue(self._top_wanted)
        self._limit_height()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # While it was hidden on a stage, its lines were broken for another width.
        QTimer.singleShot(SETTLED_MS, self, self._scroll_again)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._limit_height()
        if self.theme.on_stage:
            QTimer.singleShot(0, self, self._scroll_again)

    def _limit_height(self) -> None:
        """Let the question follow the words, which are scrolled where there is no room for all of them."""
        has_page, theme = self._page.count > 0, self.theme
        words = self._laid_out(self.width() - 2)[0] if has_page else 0
        below = [part for part in (self._choices, self._votes) if not part.isHidden()]
        asks, choices = bool(below), sum(part.heightForWidth(self.width()) for part in below)
        least = min(words, theme.px(LEAST_WORDS))
        # With less room than that, words and question are scrolled together.
        least = words if asks and least + choices > self._scroll.height() else least
        room, gaps = self._scroll.height() - choices, theme.px(GAP) * len(below)
        self._is_cut = sliced = (asks or theme.on_stage) and least + gaps <= room < words
        self._words_and_question.setSpacing(theme.px(GAP) if sliced else 0)
        lines = self._whole_lines(room - gaps) if sliced else words
        self._text.setMaximumHeight(lines if asks or sliced else UNBOUNDED)
        self._text.setMinimumHeight(0 if theme.on_stage or sliced else least)
        # A scroll bar that was needed once narrows the words, which then always need it.
        fits = has_page and (least == words or words + choices <= self._scroll.height())
        is_scrolled = self._text.verticalScrollBar().value() > 0
        fits = fits or (sliced and not is_scrolled and lines == self._whole_lines(words))
        bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._text.setVerticalScrollBarPolicy(bar)
        self._scroll.setVisible(has_page)
        # On a stage it has the height of the screen, and what is too narrow for a moment must not make that higher.
        self.setMinimumHeight(1 if theme.on_stage else theme.px(LEAST_HEIGHT) if has_page else 0)
        # With a story again, a splitter gives the room back. On a stage the code is next to it, and would be as low.
        is_bounded = not has_page and not theme.on_stage
        self.setMaximumHeight(self._layout.sizeHint().height() if is_bounded else UNBOUNDED)

    def _markdown(self, page: Page) -> Iterator[str]:
        yield f"### {page.heading}"
        if self.theme.on_stage and page.problem:
            yield f"*{page.problem}*"
        yield page.text
        if page.is_first and self._needs and not self.theme.on_stage:
            yield self.tr("Before this: {}").format(_links(LESSON_SCHEME, self._needs))
        if page.ask is not None and page.ask.about and not page.revealed:
            yield self._back(page.ask)
        if page.ask is not None and page.revealed:
            yield f"**{page.ask.text}**"
            yield self._back(page.ask) if page.ask.about else self._verdict(page.ask)
            if objection := self._objection(page.ask):
                yield objection
        yield page.reveal
        yield "\n".join(self._task_line(number, task) for number, task in enumerate(page.tasks, 1))
        if page.tasks and self._words_taught:
            yield self.tr("In the glossary: {}").format(_links(TERM_SCHEME, self._words_taught))
        if self._following and page.is_last and page.revealed and not self.theme.on_stage:
            following = self.tr("Next lesson: {}").format(_links(LESSON_SCHEME, self._following))
            yield f"**{following}**"

    def _back(self, ask: PageQuestion) -> str:
        """Return the sentence about the subject of the page, with a link that selects it."""
        back = self.tr("Back to it")
        return f"{ask.about} [{back}]({SELECTION_SCHEME}:)"

    def _answer(self, ask: PageQuestion) -> str:
        """Return the answer; by its letter where the bars of the votes show it in the same words."""
        tally, right = self._votes.tally, [choice for choice, is_right in enumerate(ask.right or ()) if is_right]
        is_shown = tally is not None and tally.revealed and ask.answer == ", ".join(ask.choices[each] for each in right)
        return ", ".join(map(letter, right)) if is_shown else ask.answer

    def _verdict(self, ask: PageQuestion) -> str:
        if ask.undecided:
            return self.tr("Not graded: this machine cannot tell the choices apart here. {}.").format(ask.undecided)
        if ask.right is None and self._page.edited:
            return self.tr(
                "The answer is for the original code, which has not run here. Restore the original to see it."
            )
        if ask.right is None:
            return self.tr("The answer is not known yet: the run or the times are still to come.")
        if ask.chosen is None:
            return f"{OUTCOME} " + self.tr("Answer: {}.").format(self._answer(ask))
        if ask.right[ask.chosen]:
            return f"{RIGHT} " + self.tr("Right: {}.").format(ask.answer)
        return f"{WRONG} " + self.tr("No, not “{}”. Answer: {}.").format(ask.choices[ask.chosen], ask.answer)

    def _objection(self, ask: PageQuestion) -> str:
        """Return the objection to the reader's choice, or to the wrong one with the most votes."""
        if not ask.outcomes:
            return ""
        if ask.chosen is not None:
            return ask.outcomes[ask.chosen]
        tally = self._votes.tally
        choice = tally.most_voted_wrong if tally is not None and tally.revealed else None
        if choice is None or not ask.outcomes[choice]:
            return ""
        return self.tr("Not {letter}: {why}").format(letter=letter(choice), why=ask.outcomes[choice])

    def _task_line(self, number: int, task: PageExercise) -> str:
        line = f"{number}. {task.text}"
        if task.done:
            done = self.tr("done")
            outcome = "\n\n" + textwrap.indent(task.outcome, OUTCOME_INDENT) + "\n" if task.outcome else ""
            return f"{line} **{RIGHT}\u00a0{done}**{outcome}"
        if task.checking:
            checking = self.tr("Checking …")
            line = f"{line} *{checking}*"
        if task.missing:
            missing = self.tr("Not yet: {}.").format(task.missing)
            line = f"{line} {missing}"
        if task.variant:
            select = self.tr("Select {}").format(task.variant)
            return f"{line} [{select}]({VARIANT_SCHEME}:{task.variant})"
        return line

    def _tint_done(self) -> None:
        """Colour finished exercises as right."""
        look = QTextCharFormat()
        look.setForeground(QColor(self.theme.good))
        done = f"{RIGHT}\u00a0{self.tr('done')}"
        for block in blocks(self._text.document()) if self._page.tasks else ():
            if (place := block.text().rfind(done)) >= 0:
                cursor = QTextCursor(block)
                cursor.movePosition(QTextCursor.MoveOperation.Right, n=place)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(look)

    def _box_verdict(self, ask: PageQuestion) -> None:
        """Put question, verdict and objection into a box, in the colour of right or wrong."""
        question = block_of(self._text.document(), ask.text)
        if question is None:
            return
        last = question.next()
        colour = {RIGHT: self.theme.good, WRONG: self.theme.bug}.get(last.text()[:1], self.theme.text)
        look = QTextCharFormat()
        if not ask.about:
            # Otherwise its link keeps its own.
            look.setForeground(QColor(colour))
        look.setFontWeight(self.theme.font(bold=True).weight())
        cursor = QTextCursor(last)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)
        if self._objection(ask):
            last = last.next()
        cursor.setPosition(question.position())
        cursor.setPosition(last.position() + len(last.text()), QTextCursor.MoveMode.KeepAnchor)
        put_into_box(cursor, colour, self.theme)

    def _top_of(self, place: int) -> int:
        """Return where to scroll to, so that the line with the character at `place` is the first in sight."""
        document = self._text.document()
        block = document.findBlock(place)
        line = block.layout().lineForTextPosition(place - block.position())
        top = document.documentLayout().blockBoundingRect(block).top() + line.y()
        above = [ceil(end) for end in _ends_of_lines(document) if end <= top + 1]
        return max(int(top) - self.theme.px(BOX_ROOM), *above) if above else 0

    def _show_choices(self, page: Page) -> None:
        asks = page.ask is not None and not page.revealed
        if not asks and any(button.hasFocus() for button in self._choices.buttons):
            # Qt would give it to a field of the tool bar, where Page Down counts.
            self._text.setFocus()
        self._choices.setVisible(asks)
        for digit in self._digits:
            digit.setEnabled(asks and not self._gave_up_keys)
        if page.ask is not None and asks:
            self._choices.show_question(page.ask.text, page.ask.choices)

    def _words_without_story(self) -> str:
        if not self._page.title:
            return self.tr("Choose a lesson from the list, or open your own file.")
        if self._page.is_recorded:
            return self.tr("A recording: the panes show one run that has ended.")
        return self.tr("Your own file: edit the code, the panes follow.")

    # -- what the user does -----------------------------------------------------------------

    def _on_link(self, link: QUrl) -> None:
        if link.scheme() == VARIANT_SCHEME:
            self.variant_wanted.emit(link.path())
        elif link.scheme() == LESSON_SCHEME:
            self.lesson_wanted.emit(link.path())
        elif link.scheme() == SELECTION_SCHEME:
            self.selection_wanted.emit()
        elif link.scheme() == TERM_SCHEME:
            self.word_wanted.emit(link.path())
        else:
            own_document.ask(self, link.toString())

    def _connect(self) -> None:
        self._previous.clicked.connect(self.previous_wanted)
        self._next.clicked.connect(self._go_on)
        self._choices.chosen.connect(self.choice_made)
        self._edited.both_wanted.connect(self.both_wanted)
        self._edited.original_wanted.connect(self.original_wanted)
        self._text.anchorClicked.connect(self._on_link)
        standard = QKeySequence.StandardKey
        self._by_page_key = (standard.MoveToNextPage, self.read_on), (standard.MoveToPreviousPage, self.read_back)
        for key, slot in self._by_page_key:
            self._page_keys.append(self._add_shortcut(QKeySequence(key)))
            self._page_keys[-1].activated.connect(slot)
        self._digits = [self._add_shortcut(QKeySequence(str(digit))) for digit in range(1, 10)]
        for place, digit in enumerate(self._digits):
            digit.activated.connect(partial(self._choices.choose, place))

    def _lay_out(self) -> None:
        line = (self._title, 1), self._previous, self._place_label, self._next
        top = spaced(fill(QHBoxLayout(), *line), spacing=4)
        words = spaced(fill(QVBoxLayout(), top, self._problem, self._sentence), 12, 4, 8, 4, spacing=4)
        page = QWidget()
        # It takes what the question leaves.
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._words_and_question = fill(QVBoxLayout(page), (self._text, 1), self._choices, self._votes)
        self._words_and_question.addStretch()
        self._scroll = scrolled(page)
        self._layout = fill(QVBoxLayout(self), words, self._edited, (self._scroll, 1))
        self._layout.addStretch()

    def _name_parts(self) -> None:
        self.setAccessibleName(self.tr("Story"))
        self._text.setAccessibleName(self.tr("Step of the story"))
        self._previous.setToolTip(self.tr("Back (Page Up)"))
        self._next.setToolTip(self.tr("Next page, or show the answer (Page Down)"))
        self._previous.setAccessibleName(self.tr("Previous step"))
        self._next.setAccessibleName(self.tr("Next step"))

    def _add_shortcut(self, keys: QKeySequence) -> QShortcut:
        return QShortcut(keys, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)


def _ends_of_lines(document: QTextDocument, room: int = 0, *, whole: bool = False) -> Iterator[float]:
    """Yield where each line or `whole` paragraph ends, in pixels; in a box that has `room`, where that ends."""
    for start, end in _lines(document, whole=whole):
        box = document.frameAt(start)
        area = document.documentLayout().frameBoundingRect(box)
        yield area.bottom() if box.parentFrame() is not None and area.height() <= room else end


def _lines(document: QTextDocument, *, whole: bool = False) -> Iterator[tuple[int, float]]:
    """Yield the first character of each line and where the line ends, in pixels from the top of the document; only of
    the last line of each `whole` paragraph.
    """
    for block in blocks(document):
        top, count = document.documentLayout().blockBoundingRect(block).top(), block.layout().lineCount()
        for line in map(block.layout().lineAt, range(count - 1 if whole else 0, count)):
            yield block.position() + line.textStart(), top + line.rect().bottom()


def _arrow_button(arrow: str) -> QToolButton:
    button = QToolButton(autoRaise=True)
    button.setText(arrow)
    dressed(button, lambda button, theme: button.setFont(theme.font(1.0 if theme.on_stage else 1.4)))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def _links(scheme: str, titles: Mapping[str, str]) -> str:
    return ", ".join(f"[{title}]({scheme}:{each})" for each, title in titles.items())
