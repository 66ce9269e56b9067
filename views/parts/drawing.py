"""Drawing: a picture for print with its caption, as SVG or PNG: painted from widgets, trimmed, arranged."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from html import unescape

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from views.theme import Theme

EM = 100
"""Size at which a letter is outlined; each text scales it to its own."""
TEXT = re.compile(r"<text (?P<attributes>[^>]*)>(?P<words>.*?)</text>", re.DOTALL)
ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
NAMED = re.compile(r'(\bid="|url\(#)')
"""Where Qt names a pattern, and where it fills something with it."""


def outlined(document: str) -> str:
    """Return the SVG `document` of Qt's with a path instead of each letter; letters that recur are drawn once."""
    mark = hashlib.sha256(document.encode()).hexdigest()[:6]
    letters = _Letters(mark)
    # Several documents may stand in one page, and Qt gives its patterns the same names in each.
    drawn = TEXT.sub(letters.draw, NAMED.sub(rf"\g<1>p{mark}-", document))
    return drawn.replace("<defs>", f"<defs>{letters.definitions}", 1)


class _Letters:
    """The letters of one document."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        """A prefix for ids, because one page may have several documents."""
        self._names: dict[tuple[str, str], str] = {}
        self._paths: list[str] = []
        self._fonts: dict[str, tuple[QFont, QFontMetricsF]] = {}

    @property
    def definitions(self) -> str:
        return "".join(self._paths)

    def draw(self, found: re.Match[str]) -> str:
        """Return the outlines that replace one text."""
        attributes = dict(ATTRIBUTE.findall(found["attributes"]))
        words = unescape(found["words"])
        font, metrics = self._font(attributes)
        x, parts = 0.0, []
        for letter in words:
            if name := self._name(letter, font, attributes):
                parts.append(f'<use xlink:href="#{name}" x="{x:.0f}"/>')
            x += metrics.horizontalAdvance(letter)
        scale = float(attributes["font-size"]) / EM
        place = f"translate({attributes['x']} {attributes['y']}) scale({scale:.4g})"
        return f'<g fill="{attributes["fill"]}" stroke="none" transform="{place}">{"".join(parts)}</g>'

    def _font(self, attributes: dict[str, str]) -> tuple[QFont, QFontMetricsF]:
        look = " ".join(attributes[name] for name in ("font-family", "font-weight", "font-style"))
        if look not in self._fonts:
            font = QFont(attributes["font-family"])
            font.setPixelSize(EM)
            font.setWeight(QFont.Weight(int(attributes["font-weight"])))
            font.setItalic(attributes["font-style"] == "italic")
            font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
            self._fonts[look] = font, QFontMetricsF(font)
        return self._fonts[look]

    def _name(self, letter: str, font: QFont, attributes: dict[str, str]) -> str:
        """Return the name of the path that draws `letter`; empty for one that leaves no mark."""
        look = " ".join(attributes[name] for name in ("font-family", "font-weight", "font-style"))
        if (look, letter) not in self._names:
            path = QPainterPath()
            path.addText(0, 0, font, letter)
            name = "" if path.isEmpty() else f"l{self._prefix}{len(self._names)}"
            self._names[look, letter] = name
            if name:
                self._paths.append(f'<path id="{name}" fill-rule="nonzero" d="{_steps(path)}"/>')
        return self._names[look, letter]


def _steps(path: QPainterPath) -> str:
    """Return `path` in the words of SVG, in whole units."""
    kinds = QPainterPath.ElementType
    letters = {kinds.MoveToElement: "M", kinds.LineToElement: "L", kinds.CurveToElement: "C"}
    steps = []
    for number in range(path.elementCount()):
        each = path.elementAt(number)
        steps.append(f"{letters.get(each.type, ' ')}{each.x:.0f} {each.y:.0f}")
    return "".join(steps)


DOTS_PER_INCH = 96
"""The resolution of a picture whose pixels are those of the window at scale 1."""
TWICE = 2
"""How much finer than on screen a picture in pixels is."""
INK = 12
"""How far from the ground a colour is, in each of red, green and blue, that is something to be seen."""
EDGE = 4.0
"""Pixels of margin around the visible content."""
CAPTION = 0.9
"""Size of the words below a picture, relative to the interface's."""
IMAGE = re.compile(r'image-rendering="\w+"')
MILLIMETRES = re.compile(r'<svg width="[^"]*" height="[^"]*"')


class Drawing(msgspec.Struct, frozen=True):
    """A picture on the theme's background.

    Attributes:
        name: the name of its file, without an ending.
        title: the name of its variant, or empty.
        caption: its content in words.
        size: its size in pixels at text size 1.
        paint: the function that draws it.
        theme: the theme of its colours.
        has_cells: whether its cells' colours stand for numbers.
        description: its full text for screen readers; empty where that is its caption.
    """

    name: str
    title: str
    caption: str
    size: QSizeF
    paint: Callable[[QPainter], None]
    theme: Theme
    has_cells: bool = False
    description: str = ""

    def svg(self) -> bytes:
        """Return it as an SVG document in UTF-8, its letters as outlines."""
        size, buffer = self.size.toSize(), QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setResolution(DOTS_PER_INCH)
        generator.setSize(size)
        generator.setViewBox(QRect(0, 0, size.width(), size.height()))
        generator.setTitle(self.title or self.name)
        generator.setDescription(self.description or self.caption)
        painter = QPainter(generator)
        self.paint(painter)
        painter.end()
        document = bytes(buffer.data().data()).decode()
        # Qt writes this attribute for unsmoothed images, and browsers do not know it.
        document = IMAGE.sub('style="image-rendering:pixelated"', document)
        wide = f'<svg width="{size.width()}" height="{size.height()}"'
        return outlined(MILLIMETRES.sub(wide, document)).encode()

    def with_caption(self) -> Drawing:
        """Return the same on its ground, with its title and caption below it, as a paper has it."""
        words = ": ".join(filter(None, (self.title, self.caption)))
        theme, font = self.theme, self.theme.font(CAPTION)
        margin = theme.px(6)
        room = QRectF(margin, self.size.height() + margin, self.size.width() - 2 * margin, 10_000)
        wrap = Qt.TextFlag.TextWordWrap
        needed = QFontMetricsF(font).boundingRect(room, wrap, words).height() + 2 * margin if words else 0.0
        size = QSizeF(self.size.width(), self.size.height() + needed)

        def paint(painter: QPainter) -> None:
            painter.fillRect(QRectF(QPointF(), size), QColor(theme.background))
            painter.save()
            self.paint(painter)
            painter.restore()
            painter.setFont(font)
            painter.setPen(QColor(theme.text))
            painter.drawText(room, wrap, words)

        return replace(self, size=size, paint=paint)

    def image(self, scale: float = TWICE) -> QImage:
        """Return it in pixels, `scale` of them for each."""
        size = (self.size * scale).toSize()
        image = QImage(size, QImage.Format.Format_RGB32)
        image.setDotsPerMeterX(round(DOTS_PER_INCH / 0.0254))
        image.setDotsPerMeterY(round(DOTS_PER_INCH / 0.0254))
        image.fill(QColor(self.theme.background))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        self.paint(painter)
        painter.end()
        return image

    def png(self) -> bytes:
        """Return it as a PNG at twice the size on screen."""
        return png(self.image())


def of_widget(widget: QWidget, owner: QWidget | None = None) -> Callable[[QPainter], None]:
    """Return a function that paints `widget` and its children, without its background, and keeps its `owner` alive."""

    def paint(painter: QPainter, _owner: QWidget | None = owner) -> None:
        widget.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)

    return paint


def trimmed(drawing: Drawing) -> Drawing | None:
    """Return `drawing` without the empty space above and below it; None where it is empty."""
    found = _inked(drawing)
    if found is None:
        return None
    top, bottom = max(0.0, found.top() - EDGE), min(drawing.size.height(), found.bottom() + 1 + EDGE)

    def paint(painter: QPainter) -> None:
        painter.translate(0, -top)
        drawing.paint(painter)

    size = QSizeF(drawing.size.width(), bottom - top)
    return replace(drawing, size=size, paint=paint)


def _inked(drawing: Drawing) -> QRect | None:
    """Return the rows of pixels in which something is drawn."""
    import numpy as np

    image = drawing.image(1).convertToFormat(QImage.Format.Format_RGBX8888)
    pixels = np.frombuffer(bytes(image.constBits()), np.uint8).reshape(image.height(), image.bytesPerLine())
    colours = pixels[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[..., :3].astype(int)
    paper = QColor(drawing.theme.background)
    ground = np.array([paper.red(), paper.green(), paper.blue()])
    rows = np.flatnonzero((abs(colours - ground) > INK).any((1, 2)))
    return QRect(0, int(rows[0]), image.width(), int(rows[-1] - rows[0] + 1)) if len(rows) else None


def below_each_other(first: Drawing, second: Drawing | None, gap: float) -> Drawing:
    """Return `first` with `second` under it."""
    if second is None:
        return first

    def paint(painter: QPainter) -> None:
        painter.save()
        first.paint(painter)
        painter.restore()
        painter.translate(0, first.size.height() + gap)
        second.paint(painter)

    size = QSizeF(max(first.size.width(), second.size.width()), first.size.height() + gap + second.size.height())
    return replace(first, size=size, paint=paint)


def side_by_side(drawings: Sequence[Drawing], gap: float) -> Drawing:
    """Return `drawings`, at least one, next to each other, each with its own caption."""
    if len(drawings) == 1:
        return drawings[0].with_caption()
    whole = [each.with_caption() for each in drawings]
    width = sum(each.size.width() for each in whole) + gap * (len(whole) - 1)
    size = QSizeF(width, max(each.size.height() for each in whole))

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(QPointF(), size), QColor(drawings[0].theme.background))
        for each in whole:
            painter.save()
            each.paint(painter)
            painter.restore()
            painter.translate(each.size.width() + gap, 0)

    text = " | ".join(f"{each.title}: {each.description or each.caption}" for each in drawings)
    return replace(drawings[0], title="", caption=text, description=text, size=size, paint=paint)


def png(image: QImage) -> bytes:
    """Return `image` as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # PySide leaves the device out of its types
    return bytes(buffer.data().data())
