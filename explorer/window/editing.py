"""Editing: the commands of the Edit menu, for the code or the widget with the keyboard; which are possible."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QGuiApplication, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from views.code.brackets import edit
from views.code.code_view import CodeView
from views.text import document_edits

ON_THE_KEYBOARD = ("undo", "redo", "cut", "copy", "paste", "select_all")
"""Commands for the widget with the keyboard."""
QT_NAMES = {"select_all": "selectAll"}


class Editing(QObject):
    """Carries out the commands of the Edit menu, and enables the possible ones."""

    def __init__(self, code: CodeView, action: Callable[[str], QAction]) -> None:
        super().__init__(code)
        self._code, self._action = code, action
        self._last_focus: QWidget | None = None
        """The last widget with the keyboard, apart from menus."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            **{name: partial(self._act, name) for name in ON_THE_KEYBOARD},
            "comment": lambda: edit(self._code.text, document_edits.toggle_comment),
            "find": lambda: self._code.find_bar.open(replacing=False),
            "replace": lambda: self._code.find_bar.open(replacing=True),
            "find_next": self._code.find_bar.go_to_next,
            "find_previous": self._code.find_bar.go_to_previous,
            "line": self._ask_for_line,
            "definition": self._code.go_to_definition,
            "fix": self._code.open_fixes,
        }

    def go_to_line(self, line: int) -> None:
        """Focus the code, with the cursor in `line`, where the code is visible."""
        text = self._code.text
        text.go_to(QTextCursor(text.document().findBlockByNumber(line - 1)))

    def _ask_for_line(self) -> None:
        text = self._code.text
        last, here = text.blockCount(), text.textCursor().blockNumber() + 1
        words = self.tr("Go to line"), self.tr("1 to {}").format(last)
        line, chosen = QInputDialog.getInt(self._code.window(), *words, here, 1, last)
        if chosen:
            self.go_to_line(line)

    def refresh(self, *_of: object) -> None:
        """Enable exactly the possible commands."""
        now = _possible(self._keyboard())
        for name in ON_THE_KEYBOARD:
            self._action(name).setEnabled(name in now)
        for name in ("find_next", "find_previous"):
            self._action(name).setEnabled(self._code.find_bar.has_found)

    # -- what has the keyboard ----------------------------------------------------------------

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not isinstance(now, QMenu | QMenuBar):
            self._last_focus = now
            self.refresh()

    def _keyboard(self) -> QWidget | None:
        return self._last_focus if self._last_focus is not None and shiboken6.isValid(self._last_focus) else None

    def _act(self, command: str) -> None:
        widget = self._keyboard()
        text = _text_of(widget)
        if text is not None:
            getattr(text, QT_NAMES.get(command, command))()
        elif marked := _marked(widget):
            QGuiApplication.clipboard().setText(marked)


def _text_of(widget: QWidget | None) -> QLineEdit | QPlainTextEdit | QTextEdit | None:
    """Return the text that is edited or read in `widget`."""
    if isinstance(widget, QAbstractSpinBox):
        return widget.lineEdit()
    return widget if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit) else None


def _marked(widget: QWidget | None) -> str:
    """Return the text that is selected in a label, a list or a table."""
    if isinstance(widget, QAbstractItemView):
        return "\n".join(str(index.data()) for index in widget.selectedIndexes() if index.data() is not None)
    return widget.selectedText() if isinstance(widget, QLabel) else ""


def _possible(widget: QWidget | None) -> frozenset[str]:
    """Return the commands on the keyboard that would do something in `widget`."""
    text = _text_of(widget)
    if text is None:
        return frozenset({"copy"} if _marked(widget) else ())
    writes = not text.isReadOnly()
    if isinstance(text, QLineEdit):
        selected, some = text.hasSelectedText(), bool(text.text())
        undoes, redoes = text.isUndoAvailable(), text.isRedoAvailable()
    else:
        selected, some = text.textCursor().hasSelection(), not text.document().isEmpty()
        undoes, redoes = text.document().isUndoAvailable(), text.document().isRedoAvailable()
    can = {
        "undo": writes and undoes,
        "redo": writes and redoes,
        "cut": writes and selected,
        "copy": selected,
        "paste": writes,  # what the clipboard holds is asked when it is pasted: its owner may be slow to answer
        "select_all": some,
    }
    return frozenset(name for name, does_something in can.items() if does_something)
