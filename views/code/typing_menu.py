"""A popup menu of the editor: a key that does not drive the menu closes it and reaches the editor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

_OWN = frozenset(
    {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Enter}
    | {Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
)
MODIFIERS = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta, Qt.Key.Key_CapsLock}
)
"""Modifier keys, which precede another key and do not count as a press."""
_WITH_OTHERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class TypingMenu(QMenu):
    """A menu over `text`: a key that chooses nothing closes it and acts in the editor.

    Qt gives a menu every key and lets no shortcut through. It first sends ShortcutOverride to the focused widget:
    closed at that moment, the menu blocks no key.
    """

    def __init__(self, text: QWidget) -> None:
        super().__init__(text)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._text = text
        text.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        # Letters that are put together, as in Hangul, come without a key.
        if _is_for_others(event) or event.type() == QEvent.Type.InputMethod:
            self.close()
        return False

    def event(self, event: QEvent) -> bool:
        if _is_for_others(event):
            self.close()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _chooses(event) or event.key() in MODIFIERS:
            super().keyPressEvent(event)
            return
        self.close()
        QApplication.sendEvent(self._text, event)


def _is_for_others(event: QEvent) -> bool:
    return (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and not _chooses(event)
        and event.key() not in MODIFIERS
    )


def _chooses(event: QKeyEvent) -> bool:
    """Return whether a key is for the menu itself."""
    return event.key() in _OWN and not event.modifiers() & _WITH_OTHERS
