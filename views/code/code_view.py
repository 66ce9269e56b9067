"""CodeView, the code editor: the user's program with line colours, problems, fixes, completion and find."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from explorer.messages import Fix, Focus, Level, Marks, NameAnswer, Snapshot, unmarked
from explorer.messages.lenses import LineCost
from explorer.scenario import code_inputs
from explorer.scenario.page import Page
from explorer.scenario.size import MOST_BYTES, MOST_IN_LINE, overlong_line
from explorer.session.controls import Controls
from views.code import brackets, stretch_styles
from views.code.brackets import take_key
from views.code.find_bar import FindBar
from views.code.line_facts import BesideLines
from views.code.name_help import NameHelp
from views.code.problem_card import ProblemCard
from views.code.problem_line import EditorProblem, ProblemLine, problems_in
from views.code.staged_code import StagedCode
from views.parts.controls import read_on
from views.text import document_edits as text_edits
from views.text.highlighters import MOST_COLOURED, PythonHighlighter
from views.text.line_text import LineText
from views.theme import Theme, Themed

OUTDATED_MS = 1000
"""Milliseconds after an edit until the problems of code that it changed go, even if no run has ended."""


class CodeView(Themed, QWidget):
    """Edits the program and shows results on its lines.

    Signals:
        source_edited: the whole text, each time the user changed it; an object, for Qt would copy a string.
        focus_requested: a Focus on the line that the user went to.
        name_asked: a NameQuestion about the position of the cursor or the pointer.
        fixes_wanted: the user asks for fixes of a finding.
        hover_text: a sentence on the user's last attempt.
        findings_wanted: the user wants to read the findings in full.
        lesson_wanted: the id of the lesson that explains an error.
    """

    source_edited = Signal(object)
    focus_requested = Signal(object)
    name_asked = Signal(object)
    fixes_wanted = Signal()
    hover_text = Signal(str)
    findings_wanted = Signal()
    lesson_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._known = ""
        self._revision = 0
        """The revision of the text whose changes were handled."""
        self._focus: Focus | None = None
        self._chosen_row = self._focus_row = -1
        self._variant = ""
        """The variant whose lines were last scrolled into view."""
        self._explained_row: int | None = None
        """The row whose problem is explained, independent of the cursor."""
        self._has_lesson = False
        self._lit: frozenset[int] = frozenset()
        self._overtaken: frozenset[int] = frozenset()
        """The line of the cursor when a variant was selected after it, else none."""
        self._of_variant: tuple[int, int] | None = None
        """First and last row of the function that runs."""
        self._costliest: int | None = None
        """The row that costs most, by the open lens."""
        self._known_problems: list[EditorProblem] = []
        self._outdated = QTimer(self, singleShot=True, interval=OUTDATED_MS)
        self._outdated.timeout.connect(self._drop_edited_problems)
        self._holds_back = False
        self._shows_types = False
        self._found: list[QTextCursor] = []
        self.text = LineText(self, numbered=True)
        """The text widget, for edits at its cursor."""
        self._beside_lines = BesideLines(self.text, self.source)
        self.on_stage = StagedCode(self.text, self._beside_lines.take_folded, self.show_here)
        self._highlighter = PythonHighlighter(self.text.document())
        self.find_bar = FindBar(self.text, self)
        self._problem_line = ProblemLine(self)
        self._card = ProblemCard(self)
        self._help = NameHelp(self.text, self.source)
        self._lay_out()
        self._connect()
        self._wrap()
        self.text.setAccessibleName(self.tr("Code"))
        self.text.setAccessibleDescription(self.tr("Tab indents; F6 moves to the next part of the window"))
        self.setAccessibleName(self.tr("Code editor"))
        self._show_cursor()

    def set_source(self, text: str, *, keep_undo: bool = False) -> None:
        """Show `text`; with `keep_undo` as one more undo step, else with a new history."""
        with self.text.unwatched():
            self._colour(len(text) <= MOST_COLOURED)
            if keep_undo:
                text_edits.replace_changed_middle(self.text.document(), self.source(), text)
            else:
                self.text.setPlainText(text)
        self._beside_lines.move(self._known, text)
        self._known = self.source()
        self._revision = self.text.document().revision()
        self._show_cursor()
        if self._lit and not keep_undo:
            # A lesson marks its first line before its code is shown.
            self._show_lit()

    def forget(self) -> None:
        """Remove the text before another is shown: to wrap and colour it once more would be in vain."""
        self._beside_lines.forget()
        self.set_source("")

    def _colour(self, coloured: bool) -> None:
        """Colour the text or leave it plain, and say so."""
        document = self.text.document() if coloured else None
        if self._highlighter.document() is not document:
            self._highlighter.setDocument(document)
            self._wrap()
        self._problem_line.show_plain(not coloured)

    def _may_paste(self, text: str) -> bool:
        """Return whether `text` can be shown; report where it cannot, and leave overlong lines without colours."""
        length = len(self._known) + len(text)
        if overlong_line(text) or length > MOST_BYTES:
            words = self.tr(
                "Not pasted: a line may have up to {letters} characters, and the code up to {megabytes} MB."
            )
            self.hover_text.emit(words.format(letters=f"{MOST_IN_LINE:,}", megabytes=MOST_BYTES // 10**6))
            return False
        if length > MOST_COLOURED:
            self._colour(False)
        return True

    def take_over(self, other: CodeView) -> None:
        """Show the text of `other`, with its undo history, before `other` is deleted."""
        other.blockSignals(True)
        self._highlighter = other._highlighter
        # A line that is on screen already is not scrolled to.
        self._focus, self._variant = other._focus, other._variant
        self._of_variant, self._overtaken = other._of_variant, other._overtaken
        self.on_stage.page, self.on_stage.begins_exercise = other.on_stage.page, other.on_stage.begins_exercise
        with self.text.unwatched():
            self.text.take_over(other.text)
            if self._highlighter.document() is not None:
                # Colours went with the layout.
                self._highlighter.rehighlight()
        self._known, self._revision = self.source(), self.text.document().revision()
        self._problem_line.show_plain(self._highlighter.document() is None)
        self._show_cursor()

    def source(self) -> str:
        r"""Return the current text, with ``\n`` between lines."""
        return text_edits.plain_text(self.text.document())

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Mark the lines that became equations, and the problems."""
        self._known_problems = problems_in(snapshot, self.text.document())
        if snapshot.reports:
            self._show_variant(snapshot)
            self._beside_lines.take(snapshot)
        self._show_problems()
        self._show_failing()

    def _show_failing(self) -> None:
        """On a stage, scroll to the line that fails, whatever else is marked; not while someone types."""
        if self.on_stage.is_up and self._failing is not None and not self.text.hasFocus():
            self.show_here()

    @property
    def _failing(self) -> int | None:
        """The row that fails; None while a question hides it."""
        rows = (row for each in self._known_problems if not (each.is_finding or self._holds_back) for row in each.rows)
        return next(rows, None)

    def show_fixes(self, snapshot: Snapshot) -> None:
        """Offer the fixes that were tried for the findings of `snapshot`."""
        self._known_problems = problems_in(snapshot, self.text.document())
        self._show_problems()
        self._open_menu()

    def show_types(self, snapshot: Snapshot) -> None:
        """Show the types that the lines made, of each program as soon as it is traced."""
        if self._shows_types:
            self._beside_lines.take_types(snapshot)

    def show_costs(self, costs: Mapping[int, LineCost]) -> None:
        """Show the cost of lines, counted from 1, in the margin; empty without an open lens that has it."""
        self._beside_lines.take_costs(costs)
        self._costliest = max(costs, key=lambda line: costs[line].most) - 1 if costs else None
        if self.on_stage.is_up:
            self.show_here()

    def show_original(self, original: str) -> None:
        """Take the original text, while the code is compared with it."""
        self._beside_lines.original = original

    def show_page(self, page: Page) -> None:
        """Take whether a story may ask about the lines, and on a stage show those that `page` names."""
        self._has_lesson = page.count > 0
        words = (page.text, page.ask.text if page.ask else "", *(task.text for task in page.tasks))
        before, named = self.on_stage.page, tuple(re.findall(r"`(\w+)`", " ".join(words)))
        self.on_stage.page = named, bool(page.tasks)
        if before != self.on_stage.page:
            self.on_stage.begins_exercise = bool(page.tasks)
            if self.on_stage.is_up and not self.text.hasFocus():
                self.show_here()

    def put_on_stage(self, staged: bool) -> None:
        """Enlarge the code for an audience: the function in question as large as possible, with whole lines."""
        self.on_stage.put_up(staged)
        self._wrap()

    def read_on(self) -> bool:
        """Scroll the explanation below the code to what is cut; return whether there was something."""
        return read_on(self._card)

    def _wrap(self) -> None:
        self.text.wrap(self._highlighter.document() is not None or self.on_stage.is_up)

    def show_controls(self, controls: Controls) -> None:
        """Show types at line ends or not, and next to an edited default the control that still wins over it."""
        if self._shows_types and not controls.line_types:
            self._beside_lines.take_types(None)
        self._shows_types = controls.line_types
        lines = code_inputs.input_lines(self.source()) if controls.overruled else {}
        words = self.tr("runs with {name}={value}")
        self._beside_lines.take_settings(
            {
                lines[each.name] - 1: words.format(name=each.name, value=repr(each.value))
                for each in controls.parameters
                if each.name in controls.overruled and each.name in lines
            }
        )

    def hold_back(self, has_two_halves: bool) -> None:
        """Hide the results of a run, or show them again: they would answer a question about the code."""
        self._holds_back = has_two_halves
        self._problem_line.setVisible(not has_two_halves)
        self._beside_lines.hold_back(has_two_halves)
        self._show_problems()
        self._show_failing()

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked lines; for a new focus, scroll to the first."""
        rows = frozenset(line - 1 for line in marks.lines)
        self._lit = rows
        self._focus_row = marks.focus.index - 1 if marks.focus is not None and marks.focus.kind == "line" else -1
        self._outline()
        before, self._focus = self._focus, marks.focus
        self._chosen_row = (marks.focus.index if marks.focus and marks.focus.kind == "line" else marks.line) - 1
        self._show_cursor()
        if rows and marks.focus != before:
            self._show_lit()
            self._explain(marks.focus)

    def _outline(self) -> None:
        """Outline the marked lines, but not that of the cursor while it is only there because of the cursor."""
        self.text.mark(marked=self._marked)

    @property
    def _marked(self) -> frozenset[int]:
        here = self.text.textCursor().blockNumber()
        return self._lit - {here} if here == self._focus_row else self._lit

    def show_here(self) -> None:
        """Scroll to the marked lines, or else to the running function.

        On a stage, scroll to the line that fails, or where none is marked to the one that costs most.
        """
        row = self._costliest if self._failing is None else self._failing
        if self.on_stage.is_up and row is not None and (row == self._failing or not self._lit):
            self._show(frozenset({row}), row)
        elif self._lit and self._lit != self._overtaken:
            self._show_lit()
        elif self._of_variant is not None:
            rows = self._in_question(frozenset(range(self._of_variant[0], self._of_variant[1] + 1)))
            self.text.show_rows(min(rows), max(rows))

    def _show_lit(self) -> None:
        """Scroll to the marked lines; without room for all, to the chosen one, or else the first, and those near it."""
        self._show(self._lit, self._chosen_row if self._chosen_row in self._lit else min(self._lit))

    def _show(self, rows: frozenset[int], chosen: int) -> None:
        """Scroll to `chosen`, and to as many of `rows` as fit; on a stage also to all of the function in question."""
        self.text.show_most(self._in_question(rows), chosen)

    def _in_question(self, rows: frozenset[int]) -> frozenset[int]:
        """Put `rows` in question, and return them with all that an audience is to see with them."""
        return self.on_stage.look_at(rows, self._problems[0].rows[:1] if self._problems else ())

    def show_names(self, answer: NameAnswer) -> None:
        """Show the worker's answer about the names in the code."""
        self._help.show_answer(answer)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and text size of `theme`."""
        self.on_stage.apply_theme(theme)
        self._highlighter.apply_theme(theme)
        self._show_problems()

    def apply_fix(self, fix: Fix) -> None:
        """Apply the edits of `fix` as one undo step and show them; nothing where the code has changed since."""
        makes = text_edits.up_to_date(self.text.document(), fix.edits)
        if makes:
            text_edits.make(self.text.document(), fix.edits)
        self.text.setFocus()
        if makes:
            rows = [edit.span.line - 1 for edit in fix.edits]
            self.text.show_most(rows, max(rows))

    def open_fixes(self) -> None:
        """Open a menu of fixes for the problem at the cursor, or else for the first fixable one.

        In a lesson, fixes of a finding are tried only now: finding one is the user's own task until they ask.
        """
        problem = self._problem_here()
        if problem is not None and problem.is_finding and problem.level != "note" and not problem.fixes:
            self.fixes_wanted.emit()
        else:
            self._open_menu()

    def _open_menu(self) -> None:
        problem = self._problem_here()
        if not self._fixes_of(problem):
            problem = next(filter(self._fixes_of, self._problems), None)
        here = self.text.textCursor()
        if problem is not None and here.blockNumber() not in problem.rows:
            # The code stays visible while the user decides about its fix.
            here = problem.places[0]
            self.text.show_row(problem.rows[0])
        menu = self._menu()
        if not self._add_fixes(menu, problem):
            words = self.tr("No fix found here")
            if self._holds_back:
                words = self.tr("After your answer") if self._has_lesson else self.tr("After the run")
            menu.addAction(words).setEnabled(False)
        place = self.text.cursorRect(here).bottomLeft()
        menu.popup(self.text.viewport().mapToGlobal(place))
        menu.setActiveAction(menu.actions()[0])

    def _menu(self) -> QMenu:
        menu = QMenu(self.text)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _add_fixes(self, menu: QMenu, problem: EditorProblem | None) -> bool:
        """Add the fixes of `problem` to `menu`; return whether there are any."""
        fixes = self._fixes_of(problem)
        for each in fixes:
            menu.addAction(str(each.label)).triggered.connect(partial(self.apply_fix, each))
        return bool(fixes)

    def _open_text_menu(self, place: QPoint) -> None:
        """Open a menu at `place` on screen: what is wrong at the cursor, its name, and the clipboard."""
        menu, row = self._menu(), self.text.textCursor().blockNumber()
        for problem in (each for each in self._problems if row in each.rows):
            if not self._add_fixes(menu, problem) and problem.is_finding and problem.level != "note":
                menu.addAction(self.tr("Look for fixes"), self.open_fixes)
            words = self.tr("Explain: {}").format(problem.name or problem.sentence.partition(":")[0])
            menu.addAction(words).triggered.connect(partial(self._on_problem_wanted, problem))
            menu.addSeparator()
        menu.addAction(self.tr("Go to definition"), self.go_to_definition)
        menu.addSeparator()
        selected, writes = self.text.textCursor().hasSelection(), not self.text.isReadOnly()
        menu.addAction(self.tr("Cut"), self.text.cut).setEnabled(selected and writes)
        menu.addAction(self.tr("Copy"), self.text.copy).setEnabled(selected)
        menu.addAction(self.tr("Paste"), self.text.paste).setEnabled(writes)
        menu.popup(place)

    def go_to_definition(self) -> None:
        """Ask where the name at the cursor is defined, and go there."""
        self._help.ask_for_definition()

    def _go_to_definition(self, found: tuple[int, int] | None) -> None:
        """Go to line and column `found` of the definition; say so if there is none."""
        if found is None:
            self.hover_text.emit(self.tr("Cannot find where this name is defined."))
        else:
            self.text.go_to(text_edits.cursor_at(self.text.document(), *found))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and watched is self.text.viewport():
            return self._take_press(event)
        if watched is not self.text:
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._help.take_key(event) or take_key(self.text, event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._help.wants(event):
            event.accept()
            return True
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_cursor()
        if event.type() == QEvent.Type.FocusOut:
            self._help.close()
        return False

    def _take_press(self, event: QMouseEvent) -> bool:
        """Go to the definition of the name that is clicked with Ctrl."""
        left, control = event.button() == Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
        if event.type() != QEvent.Type.MouseButtonPress or not left or event.modifiers() != control:
            return False
        with self.text.unwatched():
            self.text.setTextCursor(self.text.cursorForPosition(event.position().toPoint()))
        self.go_to_definition()
        return True

    # -- what the user did ----------------------------------------------------------------------------------

    def _on_text_changed(self) -> None:
        if not self.text.watched:
            return
        revision, self._revision = self._revision, self.text.document().revision()
        source = self.source()
        # Qt also says that the text changed when only its colours did.
        if source == self._known:
            if self._revision != revision:
                # A closing bracket that stood there already was gone over.
                self._show_cursor()
                self._help.text_changed()
            return
        before, self._known = self._known, source
        self.on_stage.begin_exercise()
        # First of all: what follows is done while the session waits for the next key.
        self.source_edited.emit(source)
        self._beside_lines.move(before, source)
        self._show_problems()
        self._outdated.start()
        self._help.text_changed()
        if self.find_bar.isVisible():
            self.find_bar.search()

    def _on_cursor_moved(self) -> None:
        self._explained_row = None
        # Where the text has changed, that is heard next, and all is shown then.
        if self.text.document().revision() == self._revision:
            self._show_cursor()

    def _on_problem_wanted(self, problem: EditorProblem) -> None:
        if problem.is_explained:
            self._explain(problem.focus)
            return
        self.findings_wanted.emit()
        if problem.focus is not None:
            self.focus_requested.emit(problem.focus)

    def _on_row_chosen(self, row: int) -> None:
        self.focus_requested.emit(Focus("line", row + 1))

    # -- showing ----------------------------------------------------------------------------------------------

    def _show_variant(self, snapshot: Snapshot) -> None:
        """Scroll to the lines of a newly selected variant, unless others are marked, not only that of the cursor."""
        name = snapshot.reports[0].name
        if name != self._variant:
            self._variant = name
            self._overtaken = self._lit if not self._marked else frozenset()
            for variant in snapshot.variants:
                if variant.name == name and variant.end_line:
                    self._of_variant = variant.line - 1, variant.end_line - 1
                    self.show_here()

    def show_lessons(self, titles: Mapping[str, str]) -> None:
        """Link errors to the lessons in `titles`, by their ids."""
        self._card.show_lessons(titles)

    def _show_problems(self) -> None:
        signs: dict[int, Level] = {}
        for problem in reversed(self._problems):
            signs.update(dict.fromkeys(problem.rows, problem.level))
        self.text.mark(signs=signs)
        self._show_cursor()

    def _show_found(self, found: list[QTextCursor]) -> None:
        self._found = found
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Show the marks that depend on the cursor over all others: Qt sets all extra selections at once."""
        cursor = self.text.textCursor()
        selections = [stretch_styles.selection(place, stretch_styles.found(self.theme)) for place in self._found]
        for problem in self._problems:
            selections += [
                stretch_styles.selection(place, stretch_styles.underline(problem.level, self.theme))
                for place in problem.places
            ]
        for place in (brackets.matching(cursor) if self.text.hasFocus() else None) or ():
            partner = QTextCursor(cursor)
            partner.setPosition(place)
            partner.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
            selections.append(stretch_styles.selection(partner, stretch_styles.bracket(self.theme)))
        self.text.setExtraSelections(selections)
        shown = self._problem_here()
        row, column = cursor.blockNumber(), cursor.positionInBlock()
        if shown is not None and shown.is_finding and row not in shown.rows and self._explained_row is None:
            # It is in the list of findings; a card that comes with the end of a run would push the code.
            shown = None
        self._card.show_problem(shown, self._fixes_of(shown))
        self._problem_line.show_problems(self._problems, row, column, self._card.shown_problem, self._lit)

    def _drop_edited_problems(self) -> None:
        """Take back what was reported of code that is another one now: the next run may take long."""
        self._known_problems = [each for each in self._known_problems if not each.is_edited]
        self._show_problems()

    @property
    def _problems(self) -> list[EditorProblem]:
        """Those that are reported now."""
        return [] if self._holds_back else self._known_problems

    def _explain(self, focus: Focus | None) -> None:
        """Explain the problem on the line of `focus`, even one that was closed, until the cursor moves."""
        if focus is not None and focus.kind == "line":
            self._explained_row = focus.index - 1
            self._card.reopen()
            self._show_cursor()

    def _problem_here(self) -> EditorProblem | None:
        """Return the problem of the requested line, else of the cursor's line, else the first; on a stage an error."""
        row = self._explained_row if self._explained_row is not None else self.text.textCursor().blockNumber()
        here = [problem for problem in self._problems if row in problem.rows]
        if self.theme.on_stage and self._explained_row is None:
            here = [problem for problem in self._problems if not problem.is_finding] or here
        return next(iter(here or self._problems), None)

    def _fixes_of(self, problem: EditorProblem | None) -> tuple[Fix, ...]:
        document = self.text.document()
        return tuple(each for each in problem.fixes if text_edits.up_to_date(document, each.edits)) if problem else ()

    def _tip_of_row(self, row: int) -> str:
        retraced = self._beside_lines.retraced
        here = [problem for problem in self._problems if row in problem.rows]
        texts = [unmarked("\n".join(filter(None, (each.sentence, each.more)))) for each in here]
        types, cost = self.text.marks.types.get(row), self.text.marks.costs.get(row)
        facts = [retraced[row][1]] if row in retraced else []
        facts += [types] if types else []
        return "\n\n".join(texts + facts + ([str(cost.tip)] if cost else []))

    # -- building ---------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.find_bar)
        layout.addWidget(self._card)
        layout.addWidget(self._problem_line)
        self.setFocusProxy(self.text)

    def _connect(self) -> None:
        self.text.textChanged.connect(self._on_text_changed)
        self.text.cursorPositionChanged.connect(self._on_cursor_moved)
        self.text.row_chosen.connect(self._on_row_chosen)
        self.text.tip_of_row = self._tip_of_row
        self.text.may_paste = self._may_paste
        self.text.menu_wanted.connect(self._open_text_menu)
        self.text.installEventFilter(self)
        self.text.viewport().installEventFilter(self)
        self.find_bar.found_changed.connect(self._show_found)
        self._help.asked.connect(self.name_asked)
        self._help.defined.connect(self._go_to_definition)
        self._card.fix_chosen.connect(self.apply_fix)
        self._card.closed.connect(self._show_cursor)
        self._card.lesson_wanted.connect(self.lesson_wanted)
        self._problem_line.problem_wanted.connect(self._on_problem_wanted)
