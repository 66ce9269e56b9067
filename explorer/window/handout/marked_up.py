"""of_markdown(), of_listing(): Markdown, parsed by Qt as on screen, and listings as short, plain HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterator

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

from explorer.text.html import Html, html, start, tag
from explorer.window.handout.records import Figure, Listing
from views.parts.own_document import OwnDocument
from views.parts.own_picture import read_picture

DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
HEADING_OF_PAGE, LOWEST_HEADING = 3, 6
ORDERED = {
    QTextListFormat.Style.ListDecimal,
    QTextListFormat.Style.ListLowerAlpha,
    QTextListFormat.Style.ListUpperAlpha,
    QTextListFormat.Style.ListLowerRoman,
    QTextListFormat.Style.ListUpperRoman,
}


def of_markdown(markdown: str, folder: str = "") -> Html:
    """Return `markdown` as HTML with embedded pictures from `folder`; its headings are below those of the page."""
    if not markdown.strip():
        return Html()
    document = OwnDocument()
    document.setMarkdown(markdown, DIALECT)
    return html(*_Writer(folder).frame(document.rootFrame()))


def in_line(markdown: str) -> Html:
    """Return a paragraph of `markdown` as HTML without a paragraph around it."""
    made = of_markdown(markdown)
    return Html(made.removeprefix("<p>").removesuffix("</p>")) if made.count("<p>") == 1 else made


def captioned(figure: Figure) -> Html:
    """Return title and caption of `figure` in one line; empty without either."""
    return html(*(tag("b", figure.title), " ") if figure.title else (), figure.caption)


def of_listing(listing: Listing) -> Html:
    """Return the lines of `listing` as HTML, each with its number where they have one, and colours by class."""
    lines = []
    for place, stretches in enumerate(listing.lines):
        parts: list[str] = [tag("span", each.text, class_=each.kind) if each.kind else each.text for each in stretches]
        if listing.first:
            parts = [tag("span", f"{listing.first + place:>3}", class_="nr"), " ", *parts]
        if place + 1 < len(listing.lines):
            # A last one would be an empty line on paper.
            parts.append("\n")
        lines.append(tag("span", *parts, class_="meant") if place in listing.marked else html(*parts))
    return tag("pre", tag("code", *lines))


class _Writer:
    """Writes the blocks of a document one after the other."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._open: list[str] = []
        """The lists that are open, by their element, the outermost first."""

    def frame(self, frame: QTextFrame) -> Iterator[Html]:
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
                    yield self._table(child)
                elif block.isValid():
                    yield from self._block(block)
            place += 1
        yield from self._code(code)
        yield from self._lists(0)

    def _code(self, lines: list[str]) -> Iterator[Html]:
        if lines:
            yield tag("pre", tag("code", "\n".join(lines).strip("\n")))

    def _block(self, block: QTextBlock) -> Iterator[Html]:
        words, level = self._words(block), block.blockFormat().headingLevel()
        listed: QTextList | None = block.textList()
        if listed is not None:
            style = listed.format().style()
            yield from self._lists(listed.format().indent(), "ol" if style in ORDERED else "ul")
            yield html(start("li"), words)
            return
        yield from self._lists(0)
        if level:
            yield tag(f"h{min(LOWEST_HEADING, HEADING_OF_PAGE + level)}", words)
        elif words.strip():
            quoted = block.blockFormat().intProperty(QTextBlockFormat.Property.BlockQuoteLevel)
            yield tag("blockquote" if quoted else "p", words)

    def _lists(self, depth: int, kind: str = "") -> Iterator[Html]:
        """Yield the tags that leave `depth` lists open, and the end tag of the previous item."""
        while len(self._open) > depth or (depth and len(self._open) == depth and self._open[-1] != kind):
            yield Html(f"</li></{self._open.pop()}>")
        if self._open and len(self._open) == depth:
            yield Html("</li>")
        while len(self._open) < depth:
            self._open.append(kind)
            yield start(kind)

    def _table(self, table: QTextTable) -> Html:
        rows = []
        for row in range(table.rows()):
            kind = "th" if row < max(1, table.format().headerRowCount()) else "td"
            cells = (table.cellAt(row, column) for column in range(table.columns()))
            rows.append(tag("tr", *(tag(kind, self._words(cell.begin().currentBlock())) for cell in cells)))
        return tag("div", tag("table", *rows), class_="wide")

    def _words(self, block: QTextBlock) -> Html:
        parts: list[str] = []
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
        return html(*parts)

    def _image(self, name: str, words: str) -> str:
        read = read_picture(self._folder, name)
        if read is None:
            return words
        content, kind = read
        data = base64.b64encode(content).decode()
        return start("img", alt=words, src=f"data:{kind};base64,{data}")


def _is_code(block: QTextBlock) -> bool:
    look = block.blockFormat()
    fence, language = QTextBlockFormat.Property.BlockCodeFence, QTextBlockFormat.Property.BlockCodeLanguage
    return bool(look.hasProperty(fence) or look.hasProperty(language))


def _dressed(text: str, look: object) -> Html:
    words = Html(html(text).replace("\u2028", start("br")))
    if look.fontFixedPitch():  # type: ignore[attr-defined]
        words = tag("code", words)
    if look.fontWeight() > QFont.Weight.Medium:  # type: ignore[attr-defined]
        words = tag("strong", words)
    if look.fontItalic():  # type: ignore[attr-defined]
        words = tag("em", words)
    address = look.anchorHref()  # type: ignore[attr-defined]
    if address.startswith(("https://", "http://")):
        words = tag("a", words, href=address)
    return words
