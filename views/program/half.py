"""The program text of one variant, each line in the colour of the code line that it comes from."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from explorer.messages import Failure, Focus, Form, Marks, Program, Report
from views.program.form_switch import FORM_NAMES
from views.program.primitive_words import about_primitive
from views.text.edits import replace_changed_middle
from views.text.highlighters import ProgramHighlighter
from views.text.line_text import LineText
from views.theme import LIGHT, Theme

MOST_COLOURED = 5_000
"""Lines of text that get syntax colours; beyond, colouring would hold up the window."""
MOST_BOLD = 200
"""Marked lines that are also set in bold; more are outlined only."""
UNBOUNDED = 16_777_215
"""Qt's own largest height of a widget (QWIDGETSIZE_MAX)."""

_WHILE_TYPING = frozenset({"SyntaxError", "IndentationError", "TabError", "NameError"})
_CODE = re.compile("`(.+?)`")


class ProgramHalf(QWidget):
    """Shows one Report's program.

    Signals:
        focus_requested: a Focus on the equation, or in other forms on the code line, that the person went to.
    """

    focus_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._name = ""
        self._program = Program("jaxpr", "")
        self._failure: Failure | None = None
        self._focus: Focus | None = None
        self._equation_of_row: list[int] = []
        self._title = QLabel()
        self._copy = QToolButton(autoRaise=True)
        self._notice = QTextBrowser()
        self._text = LineText(self, numbered=False)
        self._highlighter = ProgramHighlighter(self._text.document())
        self._lay_out()
        self._name_parts()
        self._copy.clicked.connect(self.copy)
        self._text.row_chosen.connect(self._on_row_chosen)
        self._text.tip_of_row = self._tip_of_row
        self.setFocusProxy(self._text)

    def show_report(self, report: Report | None, form: Form, failure: Failure | None) -> None:
        """Show the program of `report`; where there is none, why, above the last text of the same variant.

        `form` is the form that the person asked for, `failure` why nothing could run at all.
        """
        if report is not None and report.name != self._name:
            self._name = report.name
            self._show_text(Program(form, ""))
        program = report.program if report else None
        self._failure = failure or (program.failure if program else None)
        if self._failure is None and program is not None:
            self._show_text(program)
        waiting = program is None or program.form != form
        self._show_notice(self._notice_words(form, waiting=waiting))
        self._text.show_veil(self._failure is not None or (program is not None and waiting))
        self._title.setText(self._name)
        self.setAccessibleName(self.tr("Program of {}").format(self._name))

    def show_marks(self, marks: Marks) -> None:
        """Outline what is lit."""
        rows = self._lit_rows(marks)
        self._text.show_marked(rows)
        self._highlighter.set_bold(rows if len(rows) <= MOST_BOLD else frozenset())

    def scroll_to(self, marks: Marks) -> None:
        """Bring what a new focus lights up on screen, unless it was chosen here, where the person looks already."""
        focus, self._focus = self._focus, marks.focus
        rows = self._lit_rows(marks)
        chosen_here = marks.focus and marks.focus.kind == "equation" and marks.focus.variant == self._name
        if rows and not chosen_here and marks.focus != focus:
            self._text.show_row(min(rows))

    def show_title(self, shown: bool) -> None:
        """Show the name of the variant and the copy button above the text, or not."""
        self._title.setVisible(shown)
        self._copy.setVisible(shown)

    def text(self) -> str:
        """Return the text on screen."""
        return self._text.toPlainText()

    def verdict(self) -> str:
        """Return in words which keys the program draws from, or how much of it there is; empty when there is none."""
        if self._failure is not None:
            return self.tr("none: {}").format(self._failure.type)
        if not self._program.text:
            return ""
        if self._program.form != "jaxpr":
            return self.tr("{} lines").format(len(self._program.text.splitlines()))
        keys = dict.fromkeys(equation.key for equation in self._program.equations if equation.key)
        if keys:
            return self.tr("draws from {}").format(", ".join(keys))
        top = sum(equation.depth == 0 for equation in self._program.equations)
        words = self.tr("1 equation") if top == 1 else self.tr("{} equations").format(top)
        inner = len(self._program.equations) - top
        return self.tr("{words}, {inner} more inside").format(words=words, inner=inner) if inner else words

    def copy(self) -> None:
        """Put the text on the clipboard, exactly as JAX prints it."""
        QGuiApplication.clipboard().setText(self._program.text)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._text.apply_theme(theme)
        self._highlighter.apply_theme(theme)
        self._title.setFont(theme.font(bold=True))
        self._header.setContentsMargins(theme.px(8), 0, theme.px(4), 0)
        self._notice.document().setDocumentMargin(theme.px(12))
        self._fit_notice()

    def _show_text(self, program: Program) -> None:
        if program == self._program:
            return
        coloured = program.text.count("\n") < MOST_COLOURED
        self._highlighter.set_bold(frozenset())
        self._text.show_marked(frozenset())
        same_form = self._highlighter.set_form(program.form if coloured else None)
        with self._text.unwatched():
            if same_form and self._program.text:
                replace_changed_middle(self._text.document(), program.text)
            else:
                self._text.setPlainText(program.text)
        self._text.show_origins(program.lines)
        self._program = program
        self._equation_of_row = _equation_of_row(program)

    def _show_notice(self, words: str) -> None:
        self._notice.setHtml(words)
        self._notice.setVisible(bool(words))
        self._text.setVisible(bool(self._program.text) or not words)
        self._fit_notice()

    def _fit_notice(self) -> None:
        """Make the notice as high as its words but leave half to the text; without a text it takes all."""
        alone = not self._text.isVisibleTo(self)
        words = self._notice.document()
        words.setTextWidth(self._notice.viewport().width())
        height = min(round(words.size().height()), self.height() // 2)
        self._notice.setMinimumHeight(0 if alone else height)
        self._notice.setMaximumHeight(UNBOUNDED if alone else height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_notice()

    def _notice_words(self, form: Form, *, waiting: bool) -> str:
        if self._failure is not None:
            return self._failure_words(self._failure, FORM_NAMES[form])
        if not waiting:
            return ""
        if not self._program.text:
            return escape(self.tr("Waiting for the program…"))
        if self._program.form == form:
            return ""
        words = self.tr("Waiting for the {wanted}… Shown meanwhile: {shown}.")
        return escape(words.format(wanted=FORM_NAMES[form], shown=FORM_NAMES[self._program.form]))

    def _failure_words(self, failure: Failure, form: str) -> str:
        what = failure.type
        if failure.line is not None:
            what = self.tr("{type} on line {line}").format(type=failure.type, line=failure.line)
        if not self._program.text:
            headline = self.tr("There is no {form}: {what}").format(form=form, what=what)
        else:
            headline = self.tr("{what}. Below stands the last {form} that there was.").format(what=what, form=form)
        parts = [f"<b style='color:{self._theme.bug}'>{escape(headline)}</b>"]
        # While a person types, half a statement must not push the text about.
        if failure.explanation and not (self._program.text and failure.type in _WHILE_TYPING):
            parts.append(_CODE.sub(r"<code>\1</code>", escape(failure.explanation)))
        if not self._program.text:
            parts.append(f"<span style='color:{self._theme.dim}'>{escape(failure.message)}</span>")
        return "".join(f"<p style='margin-top:0'>{part}</p>" for part in parts)

    def _lit_rows(self, marks: Marks) -> frozenset[int]:
        if self._program.form != "jaxpr":
            return frozenset(row for row, line in enumerate(self._program.lines) if line in marks.lines)
        equations = self._program.equations
        return frozenset(
            row
            for number in marks.equations.get(self._name, ())
            if number < len(equations)
            for row in range(equations[number].first_line, equations[number].last_line + 1)
        )

    def _on_row_chosen(self, row: int) -> None:
        equation = self._equation_of_row[row] if row < len(self._equation_of_row) else -1
        line = self._text.origin(row)
        if equation >= 0:
            self.focus_requested.emit(Focus("equation", equation, self._name))
        elif line:
            self.focus_requested.emit(Focus("line", line, self._name))

    def _tip_of_row(self, row: int) -> str:
        line = self._text.origin(row)
        origin = self.tr("from line {} of the code").format(line) if line else ""
        number = self._equation_of_row[row] if row < len(self._equation_of_row) else -1
        if number < 0:
            return origin
        equation = self._program.equations[number]
        if not line:
            origin = self.tr("inside the library, for several lines of the code")
        headline = f"{equation.primitive} → {equation.output}" if equation.output else equation.primitive
        return "\n".join(filter(None, (headline, about_primitive(equation.primitive), origin)))

    def _lay_out(self) -> None:
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._header = QHBoxLayout()
        self._header.addWidget(self._title, 1)
        self._header.addWidget(self._copy)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addLayout(self._header)
        self._layout.addWidget(self._notice, 1)
        self._layout.addWidget(self._text, 1)

    def _name_parts(self) -> None:
        self._text.setAccessibleName(self.tr("Program text"))
        self._notice.setAccessibleName(self.tr("Why there is no program"))
        self._copy.setText(self.tr("Copy"))
        self._copy.setToolTip(self.tr("Copy the whole text, exactly as JAX prints it"))


def _equation_of_row(program: Program) -> list[int]:
    """Return for each line of the text the innermost equation on it, -1 for none."""
    rows = [-1] * (program.text.count("\n") + 1)
    for number, equation in enumerate(program.equations):
        # An equation inside another comes later and has the last word on its lines.
        for row in range(equation.first_line, equation.last_line + 1):
            rows[row] = number
    return rows
