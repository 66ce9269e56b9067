"""Markdown and listings as HTML that is short and plain: Markdown is read by Qt, as it is on screen."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextDocument,
    QTextFrame,
    QTextList,
    QTextListFormat,
    QTextTable,
)

from explorer.window.handout.records import Listing
from views.parts.outside.own_document import OwnDocument
from views.parts.outside.own_picture import read_picture

DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
LOWEST_HEADING = 6
ORDERED = {
    QTextListFormat.Style.ListDecimal,
    QTextListFormat.Style.ListLowerAlpha,
    QTextListFormat.Style.ListUpperAlpha,
    QTextListFormat.Style.ListLowerRoman,
    QTextListFormat.Style.ListUpperRoman,
}


def of_markdown(markdown: str, folder: str = "", *, below: int = 3) -> str:
    """Return `markdown` as HTML whose pictures, which lie in `folder`, are in it; headings are lower than `below`."""
    if not markdown.strip():
        return ""
    document = OwnDocument()
    document.setMarkdown(markdown, DIALECT)
    return "".join(_Writer(folder, below).frame(document.rootFrame()))


def in_line(markdown: str) -> str:
    """Return a paragraph of `markdown` as HTML without a paragraph around it."""
    made = of_markdown(markdown)
    return made.removeprefix("<p>").removesuffix("</p>") if made.count("<p>") == 1 else made


def of_listing(listing: Listing) -> str:
    """Return the lines of `listing` as HTML, each with its number where they have one, and colours by class."""
    lines = []
    for place, stretches in enumerate(listing.lines):
        text = "".join(
            f'<span class="{each.kind}">{escape(each.text)}</span>' if each.kind else escape(each.text)
            for each in stretches
        )
        number = f'<span class="nr">{listing.first + place:>3}</span> ' if listing.first else ""
        meant = ' class="meant"' if place in listing.marked else ""
        # A last one would be an empty line on paper.
        end = "\n" if place + 1 < len(listing.lines) else ""
        lines.append(f"<span{meant}>{number}{text}{end}</span>" if meant else f"{number}{text}{end}")
    return f"<pre><code>{''.join(lines)}</code></pre>"


class _Writer:
    """Writes the blocks of a document one after the other."""

    def __init__(self, folder: str, below: int) -> None:
        self._folder, self._below = folder, below
        self._open: list[str] = []
        """The lists that are open, by their element, the outermost first."""

    def frame(self, frame: QTextFrame) -> Iterator[str]:
        """Yield the pieces of `frame`."""
        place = frame.begin()
        code: list[str] = []
        while not place.atEnd():
            block = place.currentBlock()
            # One that is none comes as None.
            child: QTextFrame | None = place.currentFrame()
            if block.isValid() and _is_code(block):
                code.append(block.text())
            else:
                yield from self._code(code)
                code = []
                if isinstance(child, QTextTable):
                    yield from self._lists(0)
                    yield from self._table(child)
                elif block.isValid():
                    yield from self._block(block)
            place += 1
        yield from self._code(code)
        yield from self._lists(0)

    def _code(self, lines: list[str]) -> Iterator[str]:
        if lines:
            yield f"<pre><code>{escape(chr(10).join(lines).strip(chr(10)))}</code></pre>"

    def _block(self, block: QTextBlock) -> Iterator[str]:
        words, level = self._words(block), block.blockFormat().headingLevel()
        listed: QTextList | None = block.textList()
        if listed is not None:
            style = listed.format().style()
            yield from self._lists(listed.format().indent(), "ol" if style in ORDERED else "ul")
            yield f"<li>{words}"
            return
        yield from self._lists(0)
        if level:
            name = f"h{min(LOWEST_HEADING, self._below + level)}"
            yield f"<{name}>{words}</{name}>"
        elif words.strip():
            quoted = block.blockFormat().intProperty(QTextBlockFormat.Property.BlockQuoteLevel)
            yield f"<blockquote>{words}</blockquote>" if quoted else f"<p>{words}</p>"

    def _lists(self, depth: int, kind: str = "") -> Iterator[str]:
        """Yield what closes and opens lists until `depth` of them are open, and what ends the point before."""
        while len(self._open) > depth or (depth and len(self._open) == depth and self._open[-1] != kind):
            yield f"</li></{self._open.pop()}>"
        if self._open and len(self._open) == depth:
            yield "</li>"
        while len(self._open) < depth:
            self._open.append(kind)
            yield f"<{kind}>"

    def _table(self, table: QTextTable) -> Iterator[str]:
        yield '<div class="wide"><table>'
        for row in range(table.rows()):
            kind = "th" if row < max(1, table.format().headerRowCount()) else "td"
            cells = (table.cellAt(row, column) for column in range(table.columns()))
            yield "<tr>" + "".join(f"<{kind}>{self._words(cell.begin().currentBlock())}</{kind}>" for cell in cells)
            yield "</tr>"
        yield "</table></div>"

    def _words(self, block: QTextBlock) -> str:
        parts = []
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            look = fragment.charFormat()
            if look.isImageFormat():
                image = look.toImageFormat()
                parts.append(self._image(image.name(), image.property(image.Property.ImageAltText) or ""))
            else:
                parts.append(_dressed(fragment.text(), look))
            fragments += 1
        return "".join(parts)

    def _image(self, name: str, words: str) -> str:
        read = read_picture(self._folder, name)
        if read is None:
            return escape(words)
        content, kind = read
        data = base64.b64encode(content).decode()
        return f'<img alt="{escape(words)}" src="data:{kind};base64,{data}">'


def _is_code(block: QTextBlock) -> bool:
    look = block.blockFormat()
    fence, language = QTextBlockFormat.Property.BlockCodeFence, QTextBlockFormat.Property.BlockCodeLanguage
    return bool(look.hasProperty(fence) or look.hasProperty(language))


def _dressed(text: str, look: object) -> str:
    words = escape(text).replace("\u2028", "<br>")
    if look.fontFixedPitch():  # type: ignore[attr-defined]
        words = f"<code>{words}</code>"
    if look.fontWeight() > QFont.Weight.Medium:  # type: ignore[attr-defined]
        words = f"<strong>{words}</strong>"
    if look.fontItalic():  # type: ignore[attr-defined]
        words = f"<em>{words}</em>"
    address = look.anchorHref()  # type: ignore[attr-defined]
    if address.startswith(("https://", "http://")):
        words = f'<a href="{escape(address)}">{words}</a>'
    return words
