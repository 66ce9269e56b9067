"""Explanations of each part of the window, one to three sentences: the source of "What is this?".

A link such as [keys](key) leads to a term of the glossary.
"""

from __future__ import annotations

import functools
import re
from html import escape

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from explorer.text.html import Html
from views.parts.own_document import TERM_SCHEME

_LINK = re.compile(r"\[([^\]]+)\]\((\w+)\)")


class PartTexts(QObject):
    """The sentences in the language of the window: Qt finds them by this class."""

    @property
    def all_in(self) -> str:
        """Return a text that identifies the language of the explanations."""
        return self.tr("The output of the program, and messages from Python and JAX during the run.")

    def all(self) -> dict[str, str]:
        """Return the sentences on every part, by the name of the part."""
        return self._panes() | self._inside() | self._words() | self._controls() | self._buttons()

    def _panes(self) -> dict[str, str]:
        return {
            "keys": self.tr(
                "The [keys](key) of this run as a [tree](key_tree), and what each was [spent](spent) on. Click a "
                "key to light up everything that belongs to it."
            ),
            "noise": self.tr(
                "The arrays of this run: the [draws](draw) and the outputs. The words above the picture say whether "
                "the examples differ."
            ),
            "program": self.tr(
                "The program that JAX made from the code: the [jaxpr](jaxpr), the [StableHLO](stablehlo) that the "
                "compiler reads, and the optimised [HLO](hlo). Each line has the colour of its code."
            ),
            "timing": self.tr(
                "The time of calls, always [waiting for the device](waiting): the [first call](first_call) in "
                "stages, and later calls in [steady state](steady_state)."
            ),
            "findings": self.tr(
                "The [findings](finding): problems of this run, and facts worth knowing. Click one to see its code. "
                "A link opens its lesson, and Ctrl+. offers a [fix](fix)."
            ),
            "output": self.all_in,
        }

    def _inside(self) -> dict[str, str]:
        return {
            "key_tree": self.tr(
                "A sign for each key: hollow is [fresh](fresh_key), filled is drawn from once, a double ring is "
                "[reused](reused_key), a bracket is [shared](shared_key) by examples. The arrow keys move from key "
                "to key. Rest the pointer on one to read where it comes from."
            ),
            "picture": self.tr(
                "One array: as colours with a row for each example, as a line, as images or as points. Click a row "
                "to light up the keys and the lines that made it."
            ),
            "iterations": self.tr(
                "The values of a loop after each iteration: for an array the mean, in a band from its least to its "
                "greatest element. NaN and infinity are tinted. Click a point to see that iteration."
            ),
            "program_text": self.tr(
                "One [equation](equation) or operation per line. Click a line to light up its code. Rest the "
                "pointer on a word to read what it does."
            ),
            "times": self.tr(
                "The page chosen above: curves over a size, or one call in stages, with its [break-even](break_even) "
                "and how far to trust the times."
            ),
        }

    def _words(self) -> dict[str, str]:
        return {
            "lessons": self.tr("The lessons by chapter, and your own programs. A search finds titles first."),
            "story": self.tr("The lesson, a page at a time. Page Down goes on, Page Up goes back."),
            "question": self.tr(
                "A question about the next step: answer with a click or a digit. Panes that would give the answer "
                "away are covered until then."
            ),
            "votes": self.tr(
                "The votes of the audience: their number while the question is open, and a bar for each choice "
                "after the answer. After a second vote, an outline shows the first."
            ),
            "code": self.tr(
                "The program. Its [jaxpr](jaxpr) follows what you type, and it runs when you pause. Ask this of a "
                "word, such as [vmap](vmap) or [split](split), to read what that is."
            ),
            "notice": self.tr("Reports what happened to the file or the program, and what you can do about it."),
            "status": self.tr(
                "On the left: the selection, or the item under the pointer. On the right: the [device](device), and "
                "whether the results are up to date."
            ),
        }

    def _controls(self) -> dict[str, str]:
        return {
            "device": self.tr("The [device](device) that the program runs and is timed on."),
            "variant": self.tr("The function that the panes show: a [variant](variant) of the code."),
            "compare": self.tr(
                "A second [variant](variant) that every pane shows next to the first, or the same one before the edits."
            ),
            "parameter": self.tr(
                "A parameter of [inputs](inputs). A value set here overrides the one in the code; the code stays "
                "unchanged."
            ),
            "transform_row": self.tr(
                "The [transforms](transforms) around the variant, in the order of their numbers. The code stays "
                "unchanged; the line shows the call as Python."
            ),
            "in_force": self.tr(
                "Settings of this run that neither the code nor a visible control shows, each with a button that "
                "takes it back."
            ),
        }

    def _buttons(self) -> dict[str, str]:
        return {
            "run": self.tr("Runs the program again."),
            "stop": self.tr("Stops the run or the timing. Results so far stay."),
            "time": self.tr(
                "Times the variants over a range of sizes: the [first call](first_call), and many later calls in "
                "[steady state](steady_state)."
            ),
            "transforms": self.tr(
                "Shows the row of [transforms](transforms): jit, vmap, grad and others around the variant."
            ),
            "present": self.tr("Fills the screen with the story and one pane, for an audience. Esc ends it."),
        }


def explain(widget: QWidget, part: str) -> None:
    """Set the explanation of `widget` for "What is this?": the sentences on `part`."""
    widget.setWhatsThis(sentences(part))


def sentences(part: str) -> str:
    """Return the sentences on `part` with links to the glossary, in HTML; empty where there are none."""
    return linked(_all(PartTexts().all_in).get(part, ""))


@functools.lru_cache(maxsize=1)
def _all(_language: str) -> dict[str, str]:
    """Return the sentences on every part; more than a hundred widgets ask for one."""
    return PartTexts().all()


@functools.cache
def linked(text: str) -> Html:
    """Return `text` in HTML, with links for [words](term) and code for `words`."""
    code = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return Html(_LINK.sub(rf'<a href="{TERM_SCHEME}:\2">\1</a>', code))
