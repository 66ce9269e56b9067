"""Notice: sentences above a program text or instead of it: why there is none, what is awaited; in_words()."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from explorer.focus.focus_words import not_recorded
from explorer.messages import Failure, Form, Program
from explorer.text.html import Html, html, tag, with_code
from views.parts.own_document import TextBrowser
from views.program.form_switch import form_name
from views.theme import Theme, Themed

LEAST_HEIGHT = 40
"""Pixels of the sentences that stay in sight above a text; the rest is scrolled to."""
UNBOUNDED = 16_777_215
"""Qt's own largest height of a widget (QWIDGETSIZE_MAX)."""

Never = Literal["", "no variant", "top level", "recording"]
"""Why no program will come, empty where one may."""

_WHILE_TYPING = frozenset({"SyntaxError", "IndentationError", "TabError", "NameError"})


def in_words(failure: Failure) -> str:
    """Return the name of `failure`, and its line."""
    if failure.line is None:
        return failure.name
    words = QCoreApplication.translate("Notice", "{type} on line {line}")
    return words.format(type=failure.name, line=failure.line)


class Notice(Themed, TextBrowser):
    """Shows sentences about a missing program; hidden where none is missing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.hide()
        self.setAccessibleName(self.tr("Why there is no program"))

    def apply_theme(self, theme: Theme) -> None:
        self.document().setDocumentMargin(theme.px(12))
        # A link keeps the colour that it was written with.
        self.document().setDefaultStyleSheet(f"a {{ color: {theme.focus}; }}")
        self.setHtml(self._words)

    def show_state(
        self, shown: Program, wanted: Form, failure: Failure | None, *, waiting: bool, never: Never = ""
    ) -> bool:
        """Show the missing parts while `shown` is the text and `wanted` the chosen form; return whether there are any.

        `failure` says why there is no newer text, `waiting` that one is on its way, `never` that none will come.
        """
        if failure is not None:
            words = self._of_failure(failure, shown, wanted)
        elif never == "no variant":
            words = html(self.tr("There is no variant to show."))
        elif never == "recording":
            words = html(not_recorded())
        elif never == "top level":
            words = html(
                self.tr("The script itself calls no function of its own with arrays. A library may call one inside."),
                " ",
                self.tr("Call one with arrays to see its jaxpr and its time."),
            )
        elif waiting:
            words = html(self._of_waiting(shown, wanted))
        elif not shown.text:
            words = html(
                self.tr("The compiler for this device does not print its program. The other forms are available.")
            )
        else:
            words = Html()
        self.tell(words)
        return bool(words)

    def tell(self, words: str) -> None:
        """Show `words`, which are HTML; hidden where they are empty."""
        # At each keystroke there is nothing to say, again.
        if words != self._words:
            self._words = words
            self.setHtml(words)
            self.setVisible(bool(words))

    def fit(self, room: int, *, alone: bool, most: float = 0.5) -> None:
        """Set the height to that of the words, at most a share of `room`; with `alone`, take all."""
        if not self._words:
            return
        height = min(self.height_of_words(), round(room * most))
        self.document().setTextWidth(self.viewport().width())
        self.setMinimumHeight(0 if alone else min(height, self.theme.px(LEAST_HEIGHT)))
        self.setMaximumHeight(UNBOUNDED if alone else height)

    def height_of_words(self) -> int:
        """Return the height of all words, without the scroll bar that comes where they do not fit."""
        words = self.document()
        words.setTextWidth(self.width() - 2 * self.frameWidth())
        return round(words.size().height())

    def _of_waiting(self, shown: Program, wanted: Form) -> str:
        if not shown.text:
            return self.tr("Waiting for the program…")
        if shown.form == wanted:
            return ""
        return self.tr("Waiting for the {wanted}…").format(wanted=form_name(wanted))

    def _of_failure(self, failure: Failure, shown: Program, wanted: Form) -> Html:
        older = bool(shown.text) and shown.form == wanted
        if older:
            headline = self.tr("{what}. The last {form} is shown below.")
        elif shown.text:
            headline = self.tr("There is no {form}: {what}. The {shown} is shown below.")
        else:
            headline = self.tr("There is no {form}: {what}")
        headline = headline.format(what=in_words(failure), form=form_name(wanted), shown=form_name(shown.form))
        parts = [tag("b", headline, style=f"color:{self.theme.bug}")]
        # While a user types, half a statement must not push the text about.
        if failure.explanation and not (older and failure.type in _WHILE_TYPING):
            parts.append(with_code(str(failure.explanation)))
        if not older:
            parts.append(tag("span", with_code(str(failure.message)), style=f"color:{self.theme.dim}"))
        return html(*(tag("p", part, style="margin-top:0") for part in parts))
