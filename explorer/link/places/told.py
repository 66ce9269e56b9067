"""Why there is no worker at a place, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from explorer.link.places.trouble import Kind, Trouble


def told(trouble: Trouble) -> str:
    """Return `trouble` as a sentence."""
    return _sentences()[trouble.kind].format(place=trouble.place, more=trouble.more)


def _sentences() -> dict[Kind, str]:
    """Return those of `trouble.SENTENCES`, each once more: it is from here that they are collected to be translated."""
    return {
        "unknown": QCoreApplication.translate(
            "Places",
            "There is no place {place}: it is no Python, no environment and no command such as `ssh {place}`.",
        ),
        "no_environment": QCoreApplication.translate("Places", "{place} is no environment: there is no Python in it."),
        "no_program": QCoreApplication.translate("Places", "{place} is no Python: it cannot be run."),
        "no_command": QCoreApplication.translate("Places", "{place} cannot be read as a command: {more}."),
        "no_host": QCoreApplication.translate("Places", "{place} names no host."),
        "old": QCoreApplication.translate("Places", "The Python of {place} is {more}; it must be 3.11 or newer."),
        "old_jax": QCoreApplication.translate("Places", "The jax of {place} is {more}; it must be 0.10.2 or newer."),
        "lacks": QCoreApplication.translate(
            "Places", "The Python of {place} lacks something. Install it there: {more}"
        ),
        "failed": QCoreApplication.translate("Places", "{place} could not keep the engine: {more}."),
        "folder_failed": QCoreApplication.translate("Places", "{place} could not keep the folder: {more}."),
        "many_files": QCoreApplication.translate(
            "Places", "The folder {place} does not travel: it has more than {more} files."
        ),
        "large": QCoreApplication.translate(
            "Places", "The folder {place} does not travel: its files have more than {more} MB."
        ),
        "unreadable": QCoreApplication.translate("Places", "What {place} says cannot be read."),
    }
