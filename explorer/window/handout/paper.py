"""A handout as a PDF and on a printer: fonts, pictures in lines, and the answers on pages of their own."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QObject, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QImage,
    QPagedPaintDevice,
    QPageRanges,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPyTextObject,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgRenderer

from explorer.text.html import Html, filled_with, html, start, tag
from explorer.window.handout.handout_words import LETTERS, Words
from explorer.window.handout.marked_up import captioned, in_line, of_listing, of_markdown
from explorer.window.handout.paging import keep_together
from explorer.window.handout.records import Figure, Handout, Listing, Sheet, Taught
from explorer.window.handout.searchable import Heading, Recorder, searchable
from views.parts.outside.own_document import OwnDocument
from views.parts.outside.own_picture import KINDS, decoded
from views.theme import LIGHT

DOTS_PER_INCH = 96
MARGIN_PX, FOOT_PX = 64, 24
EDGE_PX = 8
INDENT_PX = 20
"""Pixels by which the choices of a question and lists are indented: room for a number of two digits."""
BESIDE_PX = 320
"""Pixels of width of a picture next to another one."""
LEAST_SCALE = 0.65
"""Of a picture next to another one: smaller, its letters cannot be read on paper."""
POINTS = 10.0
ON_A_NEW_PAGE = "page-break-before: always"
STYLE = f"""
body, p, li {{ color: {LIGHT.text}; }}
h1 {{ font-size: 20pt; }} h2 {{ font-size: 16pt; }} h3 {{ font-size: 12.5pt; margin-top: 16px; }}
p, li, h4 {{ margin-top: 4px; margin-bottom: 4px; }} h4 {{ font-size: 10pt; }}
pre {{ background-color: {LIGHT.panel}; white-space: pre-wrap; font-size: 8.5pt; }}
code {{ background-color: {LIGHT.panel}; font-size: 9pt; }}
.dim, .comment, .nr, .end {{ color: {LIGHT.dim}; }} .notes {{ color: {LIGHT.note}; }}
.keyword {{ color: {LIGHT.series[3]}; }} .string {{ color: {LIGHT.series[2]}; }} .number {{ color: {LIGHT.series[1]}; }}
.name {{ color: {LIGHT.series[0]}; }} .type {{ color: {LIGHT.series[5]}; }} .meant {{ background-color: #e0ecf5; }}
.caption {{ color: {LIGHT.dim}; font-size: 9pt; }} .answer {{ color: {LIGHT.good}; font-weight: 600; }}
"""


def pdf(handout: Handout) -> bytes:
    """Return `handout` as a PDF."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF())
    writer.setResolution(DOTS_PER_INCH)
    writer.setTitle(handout.title)
    writer.setCreator("JAX Explorer")
    pages, texts = _Pages(handout, writer), []
    painter = QPainter(writer)
    for number in range(pages.count):
        if number:
            writer.newPage()
        pages.paint(painter, number)
        recorder = Recorder(writer.width(), writer.height(), DOTS_PER_INCH)
        again = QPainter(recorder)
        pages.paint(again, number)
        again.end()
        texts.append(recorder.texts)
    painter.end()
    return searchable(bytes(buffer.data().data()), texts, pages.headings(), handout.language)


def print_on(printer: QPrinter, handout: Handout) -> bool:
    """Print the pages of `handout` that were chosen for `printer`, in its paper size; return whether that worked."""
    printer.setFullPage(True)
    printer.setResolution(DOTS_PER_INCH)
    printer.setDocName(handout.title)
    pages = _Pages(handout, printer)
    chosen = printer.pageRanges() if printer.printRange() is QPrinter.PrintRange.PageRange else QPageRanges()
    numbers = [each for each in range(pages.count) if chosen.isEmpty() or chosen.contains(each + 1)]
    painter = QPainter()
    if not painter.begin(printer):
        return False
    for place, number in enumerate(numbers):
        if place:
            printer.newPage()
        pages.paint(painter, number)
    return painter.end()


class _Pages:
    """The pages of a handout, laid out for the paper of a device."""

    def __init__(self, handout: Handout, device: QPagedPaintDevice) -> None:
        self._room = QRectF(0, 0, device.width() - 2 * MARGIN_PX, device.height() - 2 * MARGIN_PX)
        written = _Writer(handout, self._room.size())
        self._document = document = OwnDocument()
        figures = _Figures(written.figures, self._room.size(), document)
        layout = document.documentLayout()
        layout.setPaintDevice(device)
        layout.registerHandler(QTextFormat.ObjectTypes.ImageObject.value, figures)
        document.setUseDesignMetrics(True)
        self._font = LIGHT.font()
        self._font.setPointSizeF(POINTS)
        document.setDefaultFont(self._font)
        # Letters reach above their line: at the edge of a page they would be seen on the one before.
        document.setDocumentMargin(EDGE_PX)
        mono = LIGHT.mono_font().family()
        document.setDefaultStyleSheet(f'{STYLE} pre, code {{ font-family: "{mono}"; }}')
        document.setHtml("".join(written.pieces()))
        document.setPageSize(self._room.size())
        document.setIndentWidth(INDENT_PX)
        keep_together(document)
        self.count = document.pageCount()

    def headings(self) -> Iterator[Heading]:
        """Yield the headings but those of answers, which are sentences."""
        layout, high = self._document.documentLayout(), self._room.height()
        block = self._document.begin()
        while block.isValid():
            if 1 <= (level := block.blockFormat().headingLevel()) <= 3:
                top = layout.blockBoundingRect(block).top()
                yield Heading(block.text(), level, int(top // high), MARGIN_PX + top % high)
            block = block.next()

    def paint(self, painter: QPainter, number: int) -> None:
        """Paint page `number`, counted from 0, on a whole sheet."""
        room = self._room
        painter.save()
        painter.translate(MARGIN_PX, MARGIN_PX - number * room.height())
        seen = QRectF(0, number * room.height(), room.width(), room.height())
        painter.setClipRect(seen)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = seen
        self._document.documentLayout().draw(painter, context)
        painter.restore()
        painter.setFont(self._font)
        painter.setPen(QColor(LIGHT.dim))
        foot = QRectF(MARGIN_PX, MARGIN_PX + room.height() + FOOT_PX / 2, room.width(), FOOT_PX)
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, f"{number + 1} / {self.count}")


class _Figures(QPyTextObject):
    """Paints the pictures of a document as vector graphics, in the size given by the text."""

    def __init__(self, figures: dict[str, tuple[Figure, QSizeF]], room: QSizeF, parent: QObject) -> None:
        super().__init__(parent)
        self._figures, self._room = figures, room
        self._pictures: dict[str, QImage] = {}
        self._drawn: dict[str, QSvgRenderer] = {}

    def intrinsicSize(self, _document: QTextDocument, _place: int, look: QTextFormat) -> QSizeF:  # noqa: N802
        """Return how much room the picture takes."""
        name = look.toImageFormat().name()
        if name in self._figures:
            return self._figures[name][1]
        size = QSizeF(self._of_lesson(name).size())
        return size.scaled(size.boundedTo(self._room), Qt.AspectRatioMode.KeepAspectRatio)

    def drawObject(  # noqa: N802
        self, painter: QPainter, place: QRectF | QRect, _document: QTextDocument, _at: int, look: QTextFormat
    ) -> None:
        """Draw the picture."""
        name = look.toImageFormat().name()
        if name not in self._figures:
            painter.drawImage(QRectF(place), self._of_lesson(name))
            return
        if name not in self._drawn:
            self._drawn[name] = QSvgRenderer(self._figures[name][0].svg)
        # The ground of a picture may reach beyond it, over the answer that stands there.
        painter.save()
        painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
        self._drawn[name].render(painter, place)
        painter.restore()

    def _of_lesson(self, name: str) -> QImage:
        """Return a picture of the lesson itself, which is part of its text; a null image for any other name."""
        if name not in self._pictures:
            kind, _, data = name.removeprefix("data:").partition(";base64,")
            known = name.startswith("data:") and kind in KINDS.values()
            self._pictures[name] = decoded(base64.b64decode(data), kind) if known else QImage()
        return self._pictures[name]


class _Writer:
    """Writes a handout with Qt's rich text, which cannot fold: the answers stand at the end."""

    def __init__(self, handout: Handout, room: QSizeF) -> None:
        self._handout, self._room, self._words = handout, room, Words()
        self.figures: dict[str, tuple[Figure, QSizeF]] = {}

    def pieces(self) -> Iterator[Html]:
        """Yield the document as HTML."""
        lessons = self._handout.lessons
        yield tag("h1", self._handout.title)
        if len(lessons) > 1:
            yield tag("ol", *(tag("li", each.title) for each in lessons))
        for number, lesson in enumerate(lessons):
            yield from self._lesson(lesson, number)
        if any(self._hides_answer(sheet) for lesson in lessons for sheet in lesson.sheets):
            yield tag("h1", self._words.answers, style=ON_A_NEW_PAGE)
        for lesson in lessons:
            yield from self._answers(lesson)
        yield tag("p", self._words.end(self._handout), class_="dim")

    @staticmethod
    def _hides_answer(sheet: Sheet) -> bool:
        return sheet.ask is not None or sheet.holds_back

    def _lesson(self, lesson: Taught, number: int) -> Iterator[Html]:
        words = self._words
        if len(self._handout.lessons) > 1:
            yield tag("h2", f"{number + 1}. {lesson.title}", style=ON_A_NEW_PAGE if number else None)
        for note in filter(None, (lesson.problem, words.edited if lesson.edited else "")):
            yield tag("p", note, class_="notes")
        for name, title in lesson.variants:
            yield tag("p", tag("code", name), " ", title)
        yield of_listing(lesson.code)
        for place, sheet in enumerate(lesson.sheets, 1):
            if sheet.heading:
                yield tag("h3", f"{place}. ", in_line(sheet.heading))
            yield of_markdown(sheet.text, sheet.folder)
            if sheet.excerpt is not None:
                yield of_listing(sheet.excerpt)
            if sheet.ask is not None:
                yield of_markdown(sheet.ask.text)
                for letter, each in zip(LETTERS, sheet.ask.choices, strict=False):
                    yield tag("p", tag("b", letter), Html(" &nbsp;"), in_line(each), style="-qt-block-indent: 1")
            elif not sheet.holds_back:
                yield from self._shown(sheet)
                yield of_markdown(sheet.reveal, sheet.folder)
        if lesson.tasks:
            yield tag("h3", words.try_it)
        for place, task in enumerate(lesson.tasks, 1):
            where = (" (", filled_with(words.variant, tag("code", task.variant)), ")") if task.variant else ()
            yield tag("p", tag("b", f"{place}."), " ", in_line(task.text), *where)
        yield tag("p", words.circumstances(lesson), class_="dim")

    def _answers(self, lesson: Taught) -> Iterator[Html]:
        words = self._words
        if len(self._handout.lessons) > 1:
            yield tag("h2", lesson.title)
        for place, sheet in enumerate(lesson.sheets):
            if self._hides_answer(sheet):
                yield tag("h3", f"{place + 1}. ", in_line(sheet.heading))
                if answer := words.answered(lesson, place):
                    yield tag("h4", in_line(answer), class_="answer")
                yield of_markdown(words.wrong_choices(lesson, place))
                yield from self._shown(sheet)
                yield of_markdown(sheet.reveal, sheet.folder)
        answers = [(place, task.outcome) for place, task in enumerate(lesson.tasks, 1) if task.outcome]
        if answers:
            yield tag("h3", words.try_it)
        for place, each in answers:
            yield tag("p", tag("b", f"{place}."), " ", in_line(each))
        if words.has_open_figures(lesson):
            yield tag("p", words.open_figures, class_="dim")
        if lesson.found:
            yield tag("h3", words.findings)
        for found in lesson.found:
            level, where = words.levels[found.level], words.place(found)
            yield tag("p", tag("b", level), " ", found.sentence, " ", tag("span", where, class_="dim"))

    def _shown(self, sheet: Sheet) -> Iterator[Html]:
        if len(sheet.figures) == 2 and all(LEAST_SCALE * each.width <= BESIDE_PX for each in sheet.figures):
            cells = (tag("td", self._figure(each, BESIDE_PX), width="50%") for each in sheet.figures)
            yield tag("table", tag("tr", *cells), width="100%")
        else:
            yield from (self._figure(each, self._room.width() - 2 * EDGE_PX) for each in sheet.figures)
        yield from map(self._listing, sheet.listings)
        if sheet.remark:
            yield tag("p", sheet.remark, class_="dim")

    def _figure(self, figure: Figure, most: float) -> Html:
        name = f"figure-{len(self.figures)}"
        whole = QSizeF(QSvgRenderer(figure.svg).defaultSize())
        # Below it there is to be room for its caption.
        scale = min(1.0, most / whole.width(), 0.85 * self._room.height() / whole.height())
        self.figures[name] = figure, whole * scale
        described = tag("p", caption, class_="caption") if (caption := captioned(figure)) else ""
        return html(tag("p", start("img", src=name)), described)

    def _listing(self, listing: Listing) -> Html:
        more = tag("p", self._words.more_lines.format(listing.left_out), class_="dim") if listing.left_out else ""
        title = tag("p", listing.title, class_="caption") if listing.title else ""
        return html(title, of_listing(listing), more)
