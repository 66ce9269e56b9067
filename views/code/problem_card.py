"""ProblemCard explains the problem at the cursor: cause, clashing shapes, fixes, and JAX's own message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.messages import Fix, unmarked
from explorer.text.html import tag, with_code
from views.code.problem_line import EditorProblem
from views.parts import own_document
from views.parts.own_document import plain_tip
from views.theme import BUG_TEXT, NOTE_TEXT, Theme, Themed, grounded, lettered, restyle, spaced

LARGEST_SHARE, LARGEST_ON_STAGE = 0.5, 0.75
"""The largest share of the editor's height, so that the code stays visible; an audience cannot scroll what is cut."""
LEAST_WIDTH = 120
ORIGINAL_LINES = 8
LONGEST_TITLE = 120


class ProblemCard(Themed, QScrollArea):
    """Shows one problem.

    Signals:
        fix_chosen: the Fix whose button was pressed.
        lesson_wanted: the id of the lesson that explains it.
        closed: the user has closed it.
    """

    fix_chosen = Signal(object)
    lesson_wanted = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown_problem: EditorProblem | None = None
        self._closed: tuple[str, str] | None = None
        """Sentence and explanation of the problem that the user closed."""
        self._inside = grounded(QWidget(), lambda theme: theme.panel)
        self._title = lettered(_label(), bold=True)
        self._more = _label()
        self._more.setTextFormat(Qt.TextFormat.RichText)
        self._drawing = _label()
        self._drawing.setWordWrap(False)
        self._drawing.setMinimumWidth(1)
        self._fixes: tuple[Fix, ...] = ()
        self._buttons = spaced(QVBoxLayout(), spacing=4)
        self._original = lettered(QPlainTextEdit(readOnly=True), 0.9, code=True)
        self._original.setFrameShape(QFrame.Shape.NoFrame)
        self._show_original = QToolButton()
        self._show_original.setCheckable(True)
        self._link = QLabel(wordWrap=True)
        self._link.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self._link.linkActivated.connect(self._follow)
        self._lessons: Mapping[str, str] = {}
        """Titles of the lessons that may be opened, by their ids."""
        self._close = QToolButton(autoRaise=True)
        self._lay_out()
        self._name_parts()
        self._show_original.toggled.connect(self._original.setVisible)
        self._show_original.toggled.connect(self.updateGeometry)
        self._close.clicked.connect(self._on_closed)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def show_lessons(self, titles: Mapping[str, str]) -> None:
        """Link problems to the lessons in `titles`, by their ids."""
        self._lessons = titles
        if self.shown_problem is not None:
            self._show_links(self.shown_problem)

    def reopen(self) -> None:
        """Show problems again that the user closed."""
        self._closed = None

    def show_problem(self, problem: EditorProblem | None, fixes: tuple[Fix, ...]) -> None:
        """Show `problem` with its current fixes; nothing where its sentence is complete by itself, in another list.

        On a stage that list is seldom seen, and an error without an explanation is shown here as well.
        """
        alone = self.theme.on_stage and problem is not None and not problem.is_finding
        tells = problem is not None and bool(problem.more or problem.drawing or fixes or alone)
        if problem is None or not tells or self._closed == (problem.sentence, problem.more):
            self.shown_problem = None
            self.hide()
            return
        if self.shown_problem is None or _words(self.shown_problem) != _words(problem):
            self._tell(problem)
        self.shown_problem = problem
        words = self.tr("Line {line}: {sentence}")
        title = problem.name or unmarked(_shortened(problem.sentence))
        self._title.setText(words.format(line=problem.rows[0] + 1, sentence=title))
        self._title.setToolTip(plain_tip(unmarked(problem.sentence)))
        self._show_fixes(fixes)
        self.setAccessibleDescription(unmarked(self.text()))
        self.show()
        self.updateGeometry()

    def text(self) -> str:
        """Return everything that is reported."""
        if self.shown_problem is None:
            return ""
        return "\n".join(
            filter(None, (self._title.text(), self.shown_problem.drawing, unmarked(self.shown_problem.more)))
        )

    def apply_theme(self, theme: Theme) -> None:
        self._original.setFixedHeight(ORIGINAL_LINES * self._original.fontMetrics().lineSpacing())
        for button in self._inside.findChildren(QPushButton):
            restyle(button)
        mono = theme.mono_font()
        self._drawing.setStyleSheet(
            f"background: {theme.background}; border: 1px solid {theme.hairline};"
            f"padding: {theme.px(4)}px {theme.px(8)}px;"
            f"font-family: '{mono.family()}'; font-size: {mono.pointSizeF()}pt;"
        )
        # Its links keep the colour that they were written in.
        self._link.clear()
        if self.shown_problem is not None:
            self._show_links(self.shown_problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The heights of its texts follow from a width that may have been another one when they were measured.
        self._layout.invalidate()
        self._layout.activate()
        # Also without its scroll bar, once it is high enough.
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width, share = max(self.viewport().width(), 1), LARGEST_ON_STAGE if self.theme.on_stage else LARGEST_SHARE
        wanted = self._layout.heightForWidth(width)
        editor = self.parentWidget()
        return QSize(width, min(wanted, round(share * editor.height())) if editor else wanted)

    def minimumSizeHint(self) -> QSize:
        # Its width now is not what it needs: the editor could never be narrower again.
        return QSize(self.theme.px(LEAST_WIDTH), self.sizeHint().height())

    def _tell(self, problem: EditorProblem) -> None:
        self.shown_problem = problem
        self._more.setText(with_code(problem.more))
        self._more.setVisible(bool(problem.more))
        self._drawing.setText(problem.drawing)
        self._drawing.setVisible(bool(problem.drawing))
        self._original.setPlainText(problem.original)
        self._show_original.setChecked(False)
        self._original.hide()
        shown = problem.sentence.partition(": ")[2] if len(problem.sentence) <= LONGEST_TITLE else ""
        self._show_original.setVisible(problem.original not in ("", shown))
        self._show_links(problem)
        self._title.setForegroundRole(BUG_TEXT if problem.level == "bug" else NOTE_TEXT)
        self.verticalScrollBar().setValue(0)

    def _show_links(self, problem: EditorProblem) -> None:
        found = []
        if title := self._lessons.get(problem.lesson, ""):
            words = self.tr("Lesson: {title}").format(title=title)
            found.append(tag("a", words, href=f"{own_document.LESSON_SCHEME}:{problem.lesson}"))
        if problem.link:
            found.append(tag("a", self.tr("Documentation"), href=problem.link))
        self._link.setText("&nbsp;&nbsp; ".join(found))
        self._link.setToolTip(plain_tip(problem.link))
        self._link.setVisible(bool(found))

    def _follow(self, link: str) -> None:
        scheme, _, lesson = link.partition(":")
        if scheme == own_document.LESSON_SCHEME:
            self.lesson_wanted.emit(lesson)
        else:
            own_document.ask(self, link)

    def _show_fixes(self, fixes: tuple[Fix, ...]) -> None:
        if fixes == self._fixes:
            return
        self._fixes = fixes
        for old in self._inside.findChildren(QPushButton):
            self._buttons.removeWidget(old)
            old.setParent(None)
            old.deleteLater()
        tip = self.tr("Changes the code; one undo takes it back. Ctrl+. lists these anywhere in the code.")
        for each in fixes:
            button = QPushButton(str(each.label))
            button.setStyleSheet("text-align: left; padding: 4px 8px;")
            button.setMinimumWidth(1)
            button.setToolTip(plain_tip(f"{each.label}\n{tip}"))
            button.clicked.connect(partial(self.fix_chosen.emit, each))
            self._buttons.addWidget(button)
            # Widgets that the layout has not shown yet do not count for the height.
            button.show()

    def _on_closed(self) -> None:
        if self.shown_problem is not None:
            self._closed = (self.shown_problem.sentence, self.shown_problem.more)
        self.shown_problem = None
        self.hide()
        self.closed.emit()

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.addWidget(self._title, 1)
        first.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        last = QHBoxLayout()
        last.addWidget(self._show_original)
        last.addWidget(self._link, 1)
        self._layout = spaced(QVBoxLayout(self._inside), 12, 8, 8, 8, spacing=6)
        self._layout.addLayout(first)
        self._layout.addWidget(self._drawing, 0, Qt.AlignmentFlag.AlignLeft)
        # Before the explanation: where the pane is low, what can be pressed stays in sight.
        self._layout.addLayout(self._buttons)
        self._layout.addWidget(self._more)
        self._layout.addLayout(last)
        self._layout.addWidget(self._original)

    def _name_parts(self) -> None:
        self.setAccessibleName(self.tr("Explanation"))
        self._original.setAccessibleName(self.tr("The error in JAX's own words"))
        self._show_original.setText(self.tr("JAX's own words"))
        self._show_original.setToolTip(self.tr("The whole message, as JAX or Python wrote it"))
        self._close.setText("✕")
        self._close.setToolTip(self.tr("Close"))
        self._close.setAccessibleName(self.tr("Close the explanation"))


def _label() -> QLabel:
    label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _shortened(sentence: str) -> str:
    """Return `sentence` as a title, with whole clauses where it can; the rest of it follows in JAX's own words."""
    if len(sentence) <= LONGEST_TITLE:
        return sentence
    clauses = re.match(rf".{{{LONGEST_TITLE // 2},{LONGEST_TITLE}}}(?=[,;:.] )", sentence)
    return f"{clauses[0] if clauses else sentence[:LONGEST_TITLE].rpartition(' ')[0]} …"


def _words(problem: EditorProblem) -> tuple[str, ...]:
    return problem.level, problem.sentence, problem.more, problem.drawing, problem.original, problem.link
