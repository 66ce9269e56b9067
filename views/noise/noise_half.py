"""NoiseHalf: one report's half of the noise pane: its verdict in words, its picture, its notes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from explorer.figures.blamed_draw import draw_of, draw_of_row, draws_of
from explorer.messages import Focus, Picture, Report
from explorer.text.html import tag
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_choice import shown_name, value_words
from views.noise.pages.gallery import Gallery
from views.noise.pages.heat_page import HeatPage
from views.noise.pages.page import Mode, PicturePage, PictureView
from views.noise.pages.scatter_page import ScatterPage
from views.parts.controls import fill
from views.parts.labels import ShortLabel
from views.theme import BUG_TEXT, DIM_TEXT, Theme, Themed, lettered

HEAD_SHARE = 0.17
NOTES_SHARE, NOTES_SHARE_ON_STAGE = 0.13, 0.22
"""The largest shares of the pane's height for words."""

LINES_WITH_NOTES = 8
"""Least height of a half with notes, in lines; in a lower one they would take the picture's room."""
SENTENCE_LINES = 12
"""The most lines of a sentence instead of a picture."""
NUMBER_DIGITS = 8
NUMBER_SIZE = 2.0
"""The size of a single number, relative to words."""
MOST_SHARDS = 4
"""The most shards of an array that are listed below it; the pointer shows each."""


class NoiseHalf(Themed, QWidget):
    """Shows one picture, or a sentence where there is none.

    Signals:
        focus_requested: a Focus on the row, or among draws on the draw, that was clicked or reached by a key.
        hovered: the text for the hovered thing, '' for none.
    """

    focus_requested = Signal(object)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = Report("")
        self._view: PictureView | None = None
        self.page: PicturePage | None = None
        """Return the page that draws the picture, None where a sentence is shown instead."""
        self._name = lettered(ShortLabel(), bold=True)
        self._holds_back = False
        self._scalars: list[Picture] = []
        self._head = lettered(ShortLabel(), bold=True)
        self._head.setAccessibleName(self.tr("Verdict"))
        self._sentence = ShortLabel()
        self._sentence.set_most_lines(SENTENCE_LINES)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setForegroundRole(DIM_TEXT)
        self._size = 1.0
        self._has_room_for_notes = True
        self._notes = lettered(ShortLabel(), 0.85)
        self._notes.setForegroundRole(DIM_TEXT)
        self._heat = HeatPage()
        self.heatmap, self.curve = self._heat.heatmap, self._heat.curve
        self.gallery, self.scatter = Gallery(), ScatterPage()
        self.pages: dict[Mode, PicturePage] = {
            "line": self._heat,
            "heatmap": self._heat,
            "images": self.gallery,
            "scatter": self.scatter,
        }
        self._stack = QStackedWidget()
        self._stack.addWidget(self._sentence)
        self._table = QLabel(textFormat=Qt.TextFormat.RichText)
        self._table.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._table.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._stack.addWidget(self._table)
        self._lay_out()

    def _lay_out(self) -> None:
        fill(QVBoxLayout(self), self._name, self._head, (self._stack, 1), self._notes, spacing=2)
        for page in self._each_page():
            self._stack.addWidget(page)
            page.row_chosen.connect(self._request_focus)
            page.hovered.connect(self._tell_hover)
            page.notes_changed.connect(self._write)

    def _each_page(self) -> tuple[PicturePage, ...]:
        return self._heat, self.gallery, self.scatter

    # -- what to show -------------------------------------------------------------------------

    def show_name(self, name: str) -> None:
        """Write the report's name above the verdict; '' for none."""
        self.setAccessibleName(name)
        self._name.setText(name)
        self._name.setVisible(bool(name))

    def show_sentence(self, sentence: str) -> None:
        """Show `sentence` instead of a picture."""
        self._view = None
        self._write_instead(sentence)
        for label in (self._head, self._notes):
            label.clear()
            label.hide()
        self.setAccessibleDescription(sentence)

    def show_view(self, report: Report, view: PictureView) -> None:
        """Show a picture of `report`."""
        self._report, self._view = report, view
        self.setAccessibleDescription(str(view.picture.verdict))
        picture = view.picture
        self._scalars = _scalars_like(report, picture)
        if len(self._scalars) > 1:
            self.page = None
            self._table.setText(_table(self._scalars, picture))
            self._stack.setCurrentWidget(self._table)
        elif not picture.shape:
            number = "".join(value_words(each, NUMBER_DIGITS) for each in picture.values.numpy().reshape(-1)[:1])
            # As Python and the title write it: -22.0 is no integer.
            number += ".0" if picture.values.numpy().dtype.kind == "f" and number.lstrip("-").isdigit() else ""
            self._write_instead(f"{shown_name(picture.name)}\n{number}\n{picture.dtype}".strip(), NUMBER_SIZE)
        elif 0 in picture.values.shape:
            self._write_instead(self.tr("There is no value in this array: its shape is {}.").format(picture.shape))
        else:
            self.page = self.pages[view.mode]
            self.page.show_view(view)
            self._stack.setCurrentWidget(self.page)
            # Hidden words would still take room.
            self._sentence.clear()
            self._table.clear()
        self._write()

    def _write_instead(self, sentence: str, size: float = 1.0) -> None:
        self.page = None
        self._size = size
        self._sentence.setFont(self.theme.font(size))
        self._sentence.setText(sentence)
        self._table.clear()
        self._stack.setCurrentWidget(self._sentence)

    def mark_rows(self, examples: frozenset[int]) -> None:
        """Outline these examples."""
        for page in self._each_page():
            page.mark_rows(examples)

    def apply_theme(self, theme: Theme) -> None:
        self._name.break_words(theme.on_stage)
        self._sentence.setFont(theme.font(self._size))

    def words_heights(self, width: int) -> tuple[int, int]:
        """Return how high the verdict and the notes are when they are `width` wide; 0 without them."""
        notes = self._notes.heightForWidth(width) if self.notes and self._has_room_for_notes else 0
        return self._head.heightForWidth(width) if self._view is not None else 0, notes

    def level(self, head: int, notes: int) -> None:
        """Set the least heights of verdict and notes: two plots side by side begin and end at one height."""
        self._head.setMinimumHeight(head)
        self._notes.setMinimumHeight(notes)
        self._notes.setVisible(self._view is not None and bool(self.notes or notes) and self._has_room_for_notes)

    def set_words_share(self, height: int, left: int) -> None:
        """Leave most of a pane that is `height` pixels high to the picture: a low pane has few lines of words.

        `left` is the height without the controls above and below: notes are hidden first.
        """
        head = HEAD_SHARE * height
        notes = (NOTES_SHARE_ON_STAGE if self.theme.on_stage else NOTES_SHARE) * min(height, 1.4 * left)
        self._has_room_for_notes = left >= LINES_WITH_NOTES * self._notes.fontMetrics().lineSpacing()
        for label, room in ((self._head, head), (self._notes, notes)):
            label.set_most_lines(int(room / label.fontMetrics().lineSpacing()))

    # -- what it says -------------------------------------------------------------------------

    @property
    def picture(self) -> Picture | None:
        """Return the picture on screen, None where a sentence is shown instead."""
        return self._view.picture if self._view is not None else None

    @property
    def words(self) -> str:
        """The verdict, without its reason while that is the answer to a question, or the sentence that replaces it."""
        if self._view is None:
            return self._sentence.text()
        if len(self._scalars) > 1:
            bad = sum(each.not_finite for each in self._scalars)
            words = self.tr("{} values, {} of them NaN or infinite") if bad else self.tr("{} values")
            return words.format(len(self._scalars), bad)
        verdict = str(self._view.picture.verdict)
        if _is_of_used_key(self._report, self._view.picture):
            verdict = self.tr("{verdict}: their key is used more than once").format(verdict=verdict.partition(": ")[0])
        return verdict.partition(": ")[0] if self._holds_back else verdict

    def hold_back(self, has_two_halves: bool) -> None:
        """Leave the reason out of the verdict, or show it again."""
        self._holds_back = has_two_halves
        self._write()

    @property
    def scale(self) -> Scale | None:
        """The colour scale in use, None where colours have no meaning."""
        return self.page.scale if self.page is not None else None

    @property
    def mode(self) -> Mode | None:
        """The display mode of the picture, None for no picture."""
        return self._view.mode if self.page is not None and self._view is not None else None

    @property
    def head(self) -> str:
        """Return the words above the picture: the verdict, or a hint on how to read it."""
        return self._head.text()

    @property
    def notes(self) -> str:
        """Return the notes under the picture."""
        return self._notes.text()

    def _write(self) -> None:
        if self._view is None:
            return
        view, page = self._view, self.page
        bug = _is_shared(self._report, view.picture) or 0 < math.prod(view.picture.shape) == view.picture.not_finite
        has_words = page is not None and bool(page.words)
        self._head.setText(page.words if page is not None and has_words else self.words)
        self._head.setForegroundRole(BUG_TEXT if bug and not has_words else QPalette.ColorRole.NoRole)
        # The number, or the table, says the same.
        self._head.setVisible(bool(view.picture.shape) or bug)
        notes = [page.notes if page is not None else "", str(view.picture.note), self._axis_note(view)]
        notes.append(self._shard_note(view.picture))
        text = " ".join(note for note in notes if note)
        self._notes.setText(text)
        self._notes.setVisible(bool(text) and self._has_room_for_notes)

    def _axis_note(self, view: PictureView) -> str:
        picture: Picture = view.picture
        if len(picture.shape) < 2 or view.rows_are_examples or picture.axis < 0:
            return ""
        if not len(view.groups):
            return self.tr("Letters are on axis {} only, the axis of the examples.").format(picture.axis)
        if picture.shape != picture.values.shape:
            return self.tr("Letters follow the values shown; the examples are on axis {}.").format(picture.axis)
        return self.tr("The examples are on axis {}.").format(picture.axis)

    def _shard_note(self, picture: Picture) -> str:
        listed = [
            self.tr("{first} to {last} on {device}").format(first=each.start, last=each.stop - 1, device=each.devices)
            for each in picture.shards[:MOST_SHARDS]
        ]
        more = ["…"] * (len(picture.shards) > MOST_SHARDS)
        return self.tr("Examples {pieces}.").format(pieces=", ".join([*listed, *more])) if listed else ""

    # -- what the user does -----------------------------------------------------------------

    def _request_focus(self, row: int) -> None:
        report = self._report
        draw = draw_of_row(report.keys, self._view.picture, row) if self._view is not None else None
        self.focus_requested.emit(Focus("row", row, report.name) if draw is None else Focus("draw", draw, report.name))

    def _tell_hover(self, words: str) -> None:
        name = self.accessibleName()
        self.hovered.emit(f"{name}, {words}" if name and words else words)


def _scalars_like(report: Report, picture: Picture) -> list[Picture]:
    """Return the arrays without an axis that `report` has next to `picture`, if that has none either."""
    alike = [each for each in report.pictures or () if each.role == picture.role and not each.shape]
    return alike if not picture.shape and picture in alike else []


def _table(scalars: Sequence[Picture], chosen: Picture) -> str:
    """Return names, values and types of `scalars` as a table, the `chosen` one in bold."""
    rows = [
        tag(
            "tr",
            *(
                tag("td", tag("b", words) if each is chosen else words, style="padding: 2px 16px 2px 0")
                for words in (shown_name(each.name), value_words(each.values.numpy().reshape(-1)[0]), each.dtype)
            ),
        )
        for each in scalars
        if each.values.numpy().size
    ]
    return str(tag("table", *rows))


def _is_of_used_key(report: Report, picture: Picture) -> bool:
    """Return whether a bug is that the key of this draw is used elsewhere, too."""
    bugs = (each for each in report.findings or () if each.level == "bug" and each.kind == "key-reuse")
    return picture.role == "draw" and any(draw_of(report, each) is picture for each in bugs)


def _is_shared(report: Report, picture: Picture) -> bool:
    """Return whether a finding at level bug says that the examples of this array share noise, or is of this draw."""
    if picture.role == "draw":
        return any(picture in draws_of(report, each) for each in report.findings or () if each.level == "bug")
    if picture.role == "value" or not picture.shape or picture.axis < 0:
        return False
    bugs = [each for each in report.findings or () if each.kind == "shared-noise" and each.level == "bug"]
    return any(each.examples in (None, picture.shape[picture.axis]) for each in bugs)
