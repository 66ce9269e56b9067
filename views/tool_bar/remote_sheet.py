"""RemoteSheet asks for a remote, has it tried, and shows the result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from explorer.messages import unmarked

WIDTH = 0.5
"""Share of the window's width."""


class RemoteSheet(QDialog):
    """Asks for a remote, and shows the result of a trial.

    Signals:
        trial_wanted: the typed or chosen text.
        use_wanted: the last tried remote should be used.
    """

    trial_wanted = Signal(str)
    use_wanted = Signal()

    def __init__(self, parent: QWidget, offers: Sequence[str]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Run elsewhere"))
        words = QLabel(
            self.tr(
                "The remote needs only a Python with jax, numpy and msgspec. Enter the path of the Python or its "
                "environment, ssh HOST, ssh HOST PYTHON, or any command that starts a Python."
            ),
            wordWrap=True,
        )
        self._remote = QComboBox(editable=True)
        self._remote.addItems(list(offers))
        self._remote.setAccessibleName(self.tr("Remote"))
        self._sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._try = buttons.addButton(self.tr("&Try it"), QDialogButtonBox.ButtonRole.ActionRole)
        self._use = buttons.addButton(self.tr("&Run there"), QDialogButtonBox.ButtonRole.ActionRole)
        self._use.setEnabled(False)
        self._try.setDefault(True)
        self._try.clicked.connect(lambda: self.trial_wanted.emit(self._remote.currentText()))
        self._use.clicked.connect(self.use_wanted)
        self._remote.editTextChanged.connect(lambda: self.tell(""))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (words, self._remote, self._sentence, buttons):
            layout.addWidget(part)
        self.setMinimumWidth(round(parent.width() * WIDTH))

    def tell(self, words: str, *, usable: bool = False) -> None:
        """Show `words` about the remote; it can be chosen only where it is `usable`."""
        self._sentence.setText(unmarked(words))
        self._use.setEnabled(usable)
        (self._use if usable else self._try).setDefault(True)
        self.adjustSize()
