"""Messages on files of ours that could not be read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from explorer.library.own_file import PutAside


def message(found: Sequence[PutAside]) -> str:
    """Return a sentence or two on each file of `found`."""
    return " ".join(_message(each) for each in found)


def _message(found: PutAside) -> str:
    translate = QCoreApplication.translate
    reason = {
        "kind": translate("Unreadable", "{} could not be read: it is not a file."),
        "size": translate("Unreadable", "{} could not be read: it is too large."),
        "content": translate("Unreadable", "{} could not be read: its content is damaged."),
        "access": translate("Unreadable", "{} could not be read: the system refuses access."),
    }[found.reason].format(found.path)
    if found.now is None:
        return reason
    new_name = translate("Unreadable", "It is kept as {}.").format(found.now.name)
    return f"{reason} {new_name}"
