"""Letters of an SVG document as outlines: it looks the same without our fonts."""

from __future__ import annotations

import hashlib
import re
from html import unescape

from PySide6.QtGui import QFont, QFontMetricsF, QPainterPath

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
