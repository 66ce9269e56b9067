"""A handout as a PDF: pages of A4 with fonts and pictures in lines, and the answers behind the questions' pages."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QObject, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPyTextObject,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from explorer.window.handout.marked_up import in_line, of_listing, of_markdown
from explorer.window.handout.paging import keep_together
from explorer.window.handout.records import Figure, Handout, Listing, Sheet, Taught
from explorer.window.handout.words import LETTERS, Words
from views.parts.outside.own_document import OwnDocument
from views.parts.outside.own_picture import KINDS, decoded
from views.theme import LIGHT

DOTS_PER_INCH = 96
MARGIN_PX, FOOT_PX = 64, 24
EDGE_PX = 8
INDENT_PX = 14
"""How far the choices of a question stand in."""
BESIDE_PX = 320
"""Width of a picture that has another one beside it."""
POINTS = 10.0
CHOICE = '<p style="-qt-block-indent: 1">'
STYLE = f"""
body, p, li {{ color: {LIGHT.text}; }}
h1 {{ font-size: 20pt; }} h2 {{ font-size: 16pt; }} h3 {{ font-size: 12.5pt; margin-top: 16px; }}
p, li, h4 {{ margin-top: 4px; margin-bottom: 4px; }} h4 {{ font-size: 10pt; }}
pre {{ background-color: {LIGHT.panel}; white-space: pre-wrap; font-size: 8.5pt; }}
code {{ background-color: {LIGHT.panel}; font-size: 9pt; }}
.dim, .comment, .nr {{ color: {LIGHT.dim}; }} .notes {{ color: {LIGHT.note}; }}
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
    room = QRectF(0, 0, writer.width() - 2 * MARGIN_PX, writer.height() - 2 * MARGIN_PX)
    written = _Writer(handout, room.size())
    document = OwnDocument()
    figures = _Figures(written.figures, room.size(), document)
    layout = document.documentLayout()
    layout.setPaintDevice(writer)
    layout.registerHandler(QTextFormat.ObjectTypes.ImageObject.value, figures)
    document.setUseDesignMetrics(True)
    font = LIGHT.font()
    font.setPointSizeF(POINTS)
    document.setDefaultFont(font)
    # Letters reach above their line: at the edge of a page they would be seen on the one before.
    document.setDocumentMargin(EDGE_PX)
    mono = LIGHT.mono_font().family()
    document.setDefaultStyleSheet(f'{STYLE} pre, code {{ font-family: "{mono}"; }}')
    document.setHtml("".join(written.pieces()))
    document.setPageSize(room.size())
    document.setIndentWidth(INDENT_PX)
    keep_together(document)
    painter = QPainter(writer)
    for number in range(document.pageCount()):
        if number:
            writer.newPage()
        _paint_page(painter, document, room, number, font)
    painter.end()
    return bytes(buffer.data().data())


def _paint_page(painter: QPainter, document: QTextDocument, room: QRectF, number: int, font: QFont) -> None:
    painter.save()
    painter.translate(MARGIN_PX, MARGIN_PX - number * room.height())
    seen = QRectF(0, number * room.height(), room.width(), room.height())
    painter.setClipRect(seen)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = seen
    document.documentLayout().draw(painter, context)
    painter.restore()
    painter.setFont(font)
    painter.setPen(QColor(LIGHT.dim))
    foot = QRectF(MARGIN_PX, MARGIN_PX + room.height() + FOOT_PX / 2, room.width(), FOOT_PX)
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight, f"{number + 1} / {document.pageCount()}")


class _Figures(QPyTextObject):
    """Paints the pictures of a document in lines, each at the size that the text gives it."""

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
        """Return a picture of the lesson's own, which stands in the text as it was read; a null one for any other."""
        if name not in self._pictures:
            kind, _, data = name.removeprefix("data:").partition(";base64,")
            known = name.startswith("data:") and kind in KINDS.values()
            self._pictures[name] = decoded(base64.b64decode(data), kind) if known else QImage()
        return self._pictures[name]


class _Writer:
    """Writes what Qt's text can show: nothing folds, so what answers a question stands at the end."""

    def __init__(self, handout: Handout, room: QSizeF) -> None:
        self._handout, self._room, self._words = handout, room, Words()
        self.figures: dict[str, tuple[Figure, QSizeF]] = {}

    def pieces(self) -> Iterator[str]:
        """Yield the document as HTML."""
        lessons = self._handout.lessons
        yield f"<h1>{escape(self._handout.title)}</h1>"
        if len(lessons) > 1:
            yield f"<ol>{''.join(f'<li>{escape(each.title)}</li>' for each in lessons)}</ol>"
        for number, lesson in enumerate(lessons):
            yield from self._lesson(lesson, number)
        if any(self._is_held_back(sheet) for lesson in lessons for sheet in lesson.sheets):
            yield f'<h1 style="page-break-before: always">{escape(self._words.answers)}</h1>'
        for lesson in lessons:
            yield from self._answers(lesson)
        yield f'<p class="dim">{escape(self._words.end(self._handout))}</p>'

    @staticmethod
    def _is_held_back(sheet: Sheet) -> bool:
        return sheet.ask is not None or sheet.holds_back

    def _lesson(self, lesson: Taught, number: int) -> Iterator[str]:
        words = self._words
        if len(self._handout.lessons) > 1:
            apart = ' style="page-break-before: always"' if number else ""
            yield f"<h2{apart}>{number + 1}. {escape(lesson.title)}</h2>"
        for told in (lesson.problem, words.edited if lesson.edited else ""):
            yield f'<p class="notes">{escape(told)}</p>' if told else ""
        yield "".join(f"<p><code>{escape(name)}</code> {escape(title)}</p>" for name, title in lesson.variants)
        yield of_listing(lesson.code)
        for place, sheet in enumerate(lesson.sheets, 1):
            yield f"<h3>{place}. {in_line(sheet.heading)}</h3>" if sheet.heading else ""
            yield of_markdown(sheet.text, sheet.folder)
            yield of_listing(sheet.excerpt) if sheet.excerpt is not None else ""
            if sheet.ask is not None:
                yield of_markdown(sheet.ask.text)
                choices = zip(LETTERS, sheet.ask.choices, strict=False)
                yield "".join(f"{CHOICE}<b>{letter}</b> &nbsp;{in_line(each)}</p>" for letter, each in choices)
            elif not sheet.holds_back:
                yield from self._shown(sheet)
                yield of_markdown(sheet.reveal, sheet.folder)
        if lesson.tasks:
            yield f"<h3>{escape(words.try_it)}</h3>"
            for place, task in enumerate(lesson.tasks, 1):
                where = f" ({words.variant.format(f'<code>{task.variant}</code>')})" if task.variant else ""
                yield f"<p><b>{place}.</b> {in_line(task.text)}{where}</p>"
        yield f'<p class="dim">{escape(words.circumstances(lesson))}</p>'

    def _answers(self, lesson: Taught) -> Iterator[str]:
        words = self._words
        if len(self._handout.lessons) > 1:
            yield f"<h2>{escape(lesson.title)}</h2>"
        for place, sheet in enumerate(lesson.sheets):
            if self._is_held_back(sheet):
                yield f"<h3>{place + 1}. {in_line(sheet.heading)}</h3>"
                answer = words.answered(lesson, place)
                yield f'<h4 class="answer">{in_line(answer)}</h4>' if answer else ""
                yield from self._shown(sheet)
                yield of_markdown(sheet.reveal, sheet.folder)
        told = [(place, task.told) for place, task in enumerate(lesson.tasks, 1) if task.told]
        if told:
            yield f"<h3>{escape(words.try_it)}</h3>"
            yield "".join(f"<p><b>{place}.</b> {in_line(each)}</p>" for place, each in told)
        if words.has_open_figures(lesson):
            yield f'<p class="dim">{escape(words.open_figures)}</p>'
        if lesson.found:
            yield f"<h3>{escape(words.findings)}</h3>"
        for each in lesson.found:
            level, where = escape(words.levels[each.level]), escape(words.place(each))
            yield f'<p><b>{level}</b> {escape(each.sentence)} <span class="dim">{where}</span></p>'

    def _shown(self, sheet: Sheet) -> Iterator[str]:
        narrow = [each for each in sheet.figures if each.width <= self._room.width()]
        if len(sheet.figures) == 2 and len(narrow) == 2 and all(each.width <= 2 * BESIDE_PX for each in narrow):
            cells = "".join(f'<td width="50%">{self._figure(each, BESIDE_PX)}</td>' for each in narrow)
            yield f'<table width="100%"><tr>{cells}</tr></table>'
        else:
            yield from (self._figure(each, self._room.width()) for each in sheet.figures)
        yield from map(self._listing, sheet.listings)
        yield f'<p class="dim">{escape(sheet.remark)}</p>' if sheet.remark else ""

    def _figure(self, figure: Figure, most: float) -> str:
        name = f"figure-{len(self.figures)}"
        whole = QSizeF(QSvgRenderer(figure.svg).defaultSize())
        # Below it there is to be room for its caption.
        scale = min(1.0, most / whole.width(), 0.85 * self._room.height() / whole.height())
        self.figures[name] = figure, whole * scale
        title = f"<b>{escape(figure.title)}</b> " if figure.title else ""
        said = f'<p class="caption">{title}{escape(figure.caption)}</p>' if title or figure.caption else ""
        return f'<p><img src="{name}"></p>{said}'

    def _listing(self, listing: Listing) -> str:
        more = f'<p class="dim">{self._words.more_lines.format(listing.left_out)}</p>' if listing.left_out else ""
        title = f'<p class="caption">{escape(listing.title)}</p>' if listing.title else ""
        return f"{title}{of_listing(listing)}{more}"
