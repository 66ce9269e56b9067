"""The characters of the letters in a PDF, its bookmarks and its language, none of which Qt writes as readers need them.

Qt looks up the character of a letter in the font, and takes the first that it finds: none for the digits of Noto Sans
CJK, a control character for the spaces of Nanum Gothic. So the texts are recorded while they are painted, and the
letters of each text are compared with its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple

from pypdf import PageObject, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, Fit, NameObject, TextStringObject
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPaintDevice, QPaintEngine, QPaintEngineState, QPainterPath, QTextItem

POINTS_PER_PX = 72 / 96
MOST_MAPPED = 100
"""The most lines of one block of a character map."""
_MAP = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
{}
endcmap CMapName currentdict /CMap defineresource pop end end"""


@dataclass(frozen=True)
class Heading:
    """A bookmark.

    Attributes:
        text: its text.
        level: 1 for those at the top of the tree.
        page: the number of its page, from 0.
        top: its distance to the upper edge of the page, in pixels.
    """

    text: str
    level: int
    page: int
    top: float


class Painted(NamedTuple):
    """A text of a page."""

    text: str
    is_seen: bool
    """Whether any of it is on the page: Qt also paints the last line of the page before, above the upper edge."""


class Recorder(QPaintDevice):
    """Takes the texts of a page of `width` x `height` pixels, and paints nothing."""

    def __init__(self, width: int, height: int, dots_per_inch: int) -> None:
        super().__init__()
        self._engine = _Engine()
        metric = QPaintDevice.PaintDeviceMetric
        dots = (metric.PdmDpiX, metric.PdmDpiY, metric.PdmPhysicalDpiX, metric.PdmPhysicalDpiY)
        self._metrics = {
            metric.PdmWidth: width,
            metric.PdmHeight: height,
            metric.PdmDepth: 32,
            metric.PdmDevicePixelRatio: 1,
            metric.PdmDevicePixelRatioScaled: int(QPaintDevice.devicePixelRatioFScale()),
            **dict.fromkeys(dots, dots_per_inch),
        }

    @property
    def texts(self) -> list[Painted]:
        """The texts in the order in which they were painted; those of other fonts are texts of their own."""
        return self._engine.texts

    def paintEngine(self) -> QPaintEngine:  # noqa: N802
        return self._engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(metric, 0)


class _Engine(QPaintEngine):
    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.texts: list[Painted] = []

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, _state: QPaintEngineState) -> None:  # noqa: N802
        """Nothing: no text depends on it."""

    def drawTextItem(self, at: QPointF, item: QTextItem) -> None:  # type: ignore[override]  # noqa: N802
        area, painter = QRectF(at.x(), at.y() - item.ascent(), item.width(), item.ascent()), self.painter()
        is_seen = not painter.hasClipping() or painter.clipBoundingRect().intersects(area)
        self.texts.append(Painted(item.text(), is_seen))

    def drawPath(self, _path: QPainterPath) -> None:  # noqa: N802
        """Nothing: only texts are taken."""

    def drawPixmap(self, *_: Any) -> None:  # noqa: N802
        """Nothing."""

    def drawImage(self, *_: Any, **_more: Any) -> None:  # noqa: N802
        """Nothing."""

    def drawPolygon(self, *_: Any) -> None:  # noqa: N802
        """Nothing."""


def searchable(pdf: bytes, pages: Sequence[Sequence[Painted]], headings: Iterable[Heading], language: str) -> bytes:
    """Return `pdf`, as Qt wrote it, with the characters of its letters, bookmarks and `language`.

    `pages` has the texts of each page in the order in which they were painted.
    """
    writer = PdfWriter(clone_from=BytesIO(pdf))
    _name_letters(writer, pages)
    for page, texts in zip(writer.pages, pages, strict=True):
        _remove_unseen(page, texts)
    above: list[tuple[int, Any]] = []
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        place = Fit.xyz(top=float(writer.pages[heading.page].mediabox.height) - heading.top * POINTS_PER_PX)
        parent = above[-1][1] if above else None
        item = writer.add_outline_item(title=heading.text, page_number=heading.page, parent=parent, fit=place)
        above.append((heading.level, item))
    writer.root_object[NameObject("/Lang")] = TextStringObject(language)
    writer.page_mode = "/UseOutlines"
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def _remove_unseen(page: PageObject, texts: Sequence[Painted]) -> None:
    """Remove the texts that are not on the page, which a reader would find twice."""
    contents = page.get_contents()
    if contents is None or all(each.is_seen for each in texts):
        return
    number, seen = 0, []
    for operands, operator in contents.operations:
        if operator != b"Tj" or texts[number].is_seen:
            seen.append((operands, operator))
        number += operator == b"ET"
    contents.operations = seen
    page.replace_contents(contents)
    page.compress_content_streams()


def _name_letters(writer: PdfWriter, pages: Sequence[Sequence[Painted]]) -> None:
    """Write into each font of the document the characters of its letters."""
    shown: dict[int, list[tuple[tuple[bytes, ...], str]]] = {}
    fonts: dict[int, DictionaryObject] = {}
    for page, texts in zip(writer.pages, pages, strict=True):
        on_page = _fonts_of(page)
        for (name, letters), (text, _) in zip(_shown(page), texts, strict=False):
            font = on_page[name]
            fonts[id(font)] = font
            shown.setdefault(id(font), []).append((letters, text))
    for key, font in fonts.items():
        stream = DecodedStreamObject()
        stream.set_data(_map(_characters(shown[key])).encode("ascii"))
        font[NameObject("/ToUnicode")] = writer._add_object(stream.flate_encode())


def _fonts_of(page: PageObject) -> dict[str, DictionaryObject]:
    resources = page["/Resources"].get_object()
    found = resources.get("/Font", {}) if isinstance(resources, DictionaryObject) else {}
    return {name: font.get_object() for name, font in found.items()}


def _shown(page: PageObject) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """Yield font and letters of each text of `page`; Qt shows each letter by itself, at its own place."""
    contents = page.get_contents()
    font, letters = "", list[bytes]()
    for operands, operator in contents.operations if contents is not None else ():
        if operator == b"BT":
            letters = []
        elif operator == b"Tf":
            font = str(operands[0])
        elif operator == b"Tj":
            letters.append(operands[0].original_bytes)
        elif operator == b"ET":
            yield font, tuple(letters)


def _characters(shown: Iterable[tuple[tuple[bytes, ...], str]]) -> dict[bytes, str]:
    """Return the characters of each letter; several for a ligature: those that the other letters of a text leave."""
    found: dict[bytes, str] = {}
    longer = []
    for letters, painted in shown:
        text = painted.replace("\N{NO-BREAK SPACE}", " ")
        if len(letters) != len(text):
            longer.append((letters, text))
            continue
        for letter, char in zip(letters, text, strict=True):
            found.setdefault(letter, char)
    for letters, text in longer:
        known = [re.escape(found[letter]) if letter in found else "(.+?)" for letter in letters]
        if match := re.fullmatch("".join(known), text):
            unknown = (letter for letter in letters if letter not in found)
            found.update(zip(unknown, match.groups(), strict=True))
    return found


def _map(characters: dict[bytes, str]) -> str:
    lines = [f"<{letter.hex()}> <{text.encode('utf-16-be').hex()}>" for letter, text in sorted(characters.items())]
    blocks = (lines[start : start + MOST_MAPPED] for start in range(0, len(lines), MOST_MAPPED))
    return _MAP.format("\n".join("\n".join((f"{len(each)} beginbfchar", *each, "endbfchar")) for each in blocks))
