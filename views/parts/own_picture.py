"""read_picture() alone reads a lesson's pictures: small files of known kinds in the lesson's own folder.

A name is refused by its form before the file system is touched: even looking at a pipe, a device or a network folder is
too much.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QBuffer, QIODevice, QUrl
from PySide6.QtGui import QImage, QImageReader

KINDS = {"png": "image/png", "svg": "image/svg+xml", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif"}
"""The media type of each allowed file ending."""
MOST_BYTES = 8_000_000
MOST_PIXELS = 32_000_000
"""A few bytes can say that a picture is as large as a city."""

_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)([. ]|$)", re.IGNORECASE)
"""Device names of Windows, in any folder and with any ending."""
_HREF = re.compile(r"""href\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_WITHIN = re.compile(r"#|data:image/(png;base64,\s*iVBORw0KGgo|jpe?g;base64,\s*/9j/)")
"""Allowed references of an SVG: its own elements, or embedded pixels."""
_FETCHES = re.compile(r"<!ENTITY|<\?xml-stylesheet|@import", re.IGNORECASE)
_ENCODING = re.compile(r"""<\?xml[^>]*encoding\s*=\s*["'](?!(?:utf-8|us-ascii|ascii)["'])""", re.IGNORECASE)


def read_picture(folder: str, name: str) -> tuple[bytes, str] | None:
    """Return the bytes and the media type of the picture `name` of the lesson in `folder`; None for any other file."""
    path = _path(folder, name)
    if path is None:
        return None
    kind = KINDS[path.suffix[1:].lower()]
    content = _content(Path(folder), path)
    if content is None or (kind == KINDS["svg"] and not _is_whole(content)):
        return None
    return content, kind


def picture(folder: str, name: str) -> QImage:
    """Return the picture `name` of the lesson in `folder`; a null one for any other file."""
    read = read_picture(folder, name)
    if read is None:
        return QImage()
    content, kind = read
    buffer = QBuffer()
    buffer.setData(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    # The file's name decides, not its contents: a drawing that claims to be pixels was not checked.
    reader = QImageReader(buffer, kind.rpartition("/")[2].partition("+")[0].encode())
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS:
        return QImage()
    return reader.read()


def _path(folder: str, name: str) -> Path | None:
    """Return the path of the picture, judged by its name alone; None for a name that leads elsewhere."""
    url = QUrl(name)
    words = url.path(QUrl.ComponentFormattingOption.FullyDecoded)
    if not folder or not words or url.scheme() or url.authority() or url.hasQuery() or url.hasFragment():
        return None
    normal = os.path.normpath(words)
    parts = PurePosixPath(normal.replace(os.sep, "/")).parts
    if words.startswith("/") or any(sign in words for sign in "\\:\0") or ".." in parts:
        return None
    if any(_DEVICE.match(part) for part in parts):
        return None
    path = Path(folder) / normal
    return path if path.suffix[1:].lower() in KINDS else None


def _content(folder: Path, path: Path) -> bytes | None:
    """Return the content of the file at `path`, if it is small and in `folder`, with links resolved."""
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(folder.resolve()) or not real.is_file():
            return None
        # If another file has replaced it meanwhile, opening must not block.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(real, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError, RuntimeError):
        return None
    return content if len(content) <= MOST_BYTES else None


def _is_whole(content: bytes) -> bool:
    """Return whether an SVG refers only to its own content: Qt would read other references from anywhere."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    if "\0" in text or _FETCHES.search(text) or _ENCODING.search(text):
        return False
    found = list(_HREF.finditer(text))
    # One without quotes, or with an entity around it, is none that we know.
    return len(found) == text.lower().count("href") and all(
        _WITHIN.match((each[1] or each[2] or "").strip()) for each in found
    )
