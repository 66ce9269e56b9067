"""Reads and writes code files as UTF-8, each with its own line ends; ``UnreadableCode``; notebooks are only read."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from explorer.library import notebook, own_file
from explorer.messages.encodable import encodable_text
from explorer.scenario.size import MOST_BYTES, MOST_IN_LINE, MOST_ON_SCREEN, crowded_line, overlong_line

BOM = b"\xef\xbb\xbf"


class UnreadableCode(Exception):
    """A file that exists but holds no displayable code; the message gives the reason."""


def read_code(path: Path) -> str:
    r"""Return the text of a code file with ``\n`` at the ends of lines and without a byte order mark.

    A notebook's is its code in Python. Raises UnreadableCode.
    """
    try:
        of_notebook = notebook.is_notebook(path)
        # Pictures are in a notebook, too.
        content = own_file.read_bytes(path, own_file.MOST_BYTES if of_notebook else MOST_BYTES)
        if content is None:
            raise UnreadableCode(f"{path} cannot be read: {os.strerror(errno.ENOENT)}.")
        text = notebook.program(content) if of_notebook else content.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableCode(f"{path} is not UTF-8 text (byte {error.start + 1}). Save it as UTF-8 first.") from error
    except notebook.NoProgram as error:
        raise UnreadableCode(f"{path} {error}.") from error
    except own_file.Unreadable as error:
        raise UnreadableCode(_unreadable(path, error)) from error
    if "\0" in text:
        raise UnreadableCode(f"{path} is not text: it contains zero bytes.")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if problem := _too_long(path, text):
        raise UnreadableCode(problem)
    return text


def _unreadable(path: Path, error: own_file.Unreadable) -> str:
    if error.reason == "kind":
        return f"{path} is not a file that holds code. Open a .py file or a scenario's folder."
    if error.reason == "size":
        size = path.stat().st_size / 1e6
        most = own_file.MOST_BYTES if notebook.is_notebook(path) else MOST_BYTES
        return f"{path} has {size:.1f} MB; code of up to {most // 10**6} MB is opened."
    return f"{path} cannot be read: {getattr(error.__cause__, 'strerror', None) or error.__cause__}."


def _too_long(path: Path, text: str) -> str:
    """Return the sentence that names the overlong lines of `text`; empty where there are none."""
    if line := overlong_line(text):
        return f"Line {line} of {path} has more than {MOST_IN_LINE:,} characters. Break it to open the file."
    if line := crowded_line(text):
        return (
            f"From line {line} on, the lines of {path} that fit on a screen have more than {MOST_ON_SCREEN:,} "
            "characters. Break them to open the file."
        )
    return ""


def write_code(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with the file's own line ends and byte order mark. Raises OSError: the old file is left."""
    path = path.resolve()  # a link stays a link: what it points to is replaced
    try:
        before = own_file.read_bytes(path) or b""
    except own_file.Unreadable as error:
        raise OSError(errno.EINVAL, "it cannot be read", str(path)) from error
    content = encodable_text(text).encode()
    if b"\r\n" in before:
        content = content.replace(b"\n", b"\r\n")
    own_file.write_atomically(path, BOM + content if before.startswith(BOM) else content)
