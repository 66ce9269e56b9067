"""PythonHighlighter, ProgramHighlighter: syntax colours, line by line; is_code(): not string, not comment."""

from __future__ import annotations

import functools
import keyword
import re
from collections.abc import Mapping
from typing import Literal

from PySide6.QtGui import (
    QColor,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
    QTextLayout,
)

from explorer.messages import Form
from views.text.document_edits import utf16_length
from views.theme import LIGHT, Theme

Kind = Literal["keyword", "string", "comment", "number", "name", "type"]

KIND = QTextFormat.Property.UserProperty
"""Property of a format that says which kind of text it colours."""

_STRING = r"""(?:[rbuf]|rb|br|fr|rf)?(?:'(?:\\.|[^'\\])*(?:'|\\?$)|"(?:\\.|[^"\\])*(?:"|\\?$))"""
_NUMBER = r"\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?j?)\b"

PYTHON = re.compile(
    rf"""(?P<comment>\#.*)
    |(?P<open>(?:[rbuf]|rb|br|fr|rf)?(?:'''|\"""))
    |(?P<string>{_STRING})
    |(?P<number>{_NUMBER})
    |(?P<keyword>\b(?:{"|".join(keyword.kwlist)})\b)
    |(?P<name>(?<=\bdef\s)\w+|(?<=\bclass\s)\w+|@[\w.]+|\b[^\W\d]\w*(?=\())""",
    re.VERBOSE | re.IGNORECASE,
)

_PROGRAM: Mapping[Form, tuple[str, re.RegexFlag]] = {
    "jaxpr": (
        r"""(?P<type>\b(?:(?:f|bf|[iucs])\d\w*|bool|key<\w+>)\[[^\]]*\])
        |(?P<keyword>\b(?:lambda|let|in)\b)
        |(?P<name>(?<==\s)[a-z][\w-]*)
        |(?P<comment>\b\w+(?==[^\s]))
        |(?P<string>'[^']*')
        |(?P<number>(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?\b|\b(?:True|False|None|inf|nan)\b)""",
        re.VERBOSE,
    ),
    "stablehlo": (
        r"""(?P<type>!?\btensor<[^>]*>|\b[iuf]\d+\b|\bui\d+\b)
        |(?P<string>"[^"]*")
        |(?P<name>\b(?:stablehlo|chlo|sdy|mhlo)\.[\w.]+|@[\w.$-]+)
        |(?P<keyword>\b(?:module|func\.func|func\.call|public|private|attributes|call|return|cond|do|dims?|dense)\b)
        |(?P<comment>//.*|%[\w\#:]+)
        |(?P<number>(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?\b)""",
        re.VERBOSE | re.IGNORECASE,
    ),
    "hlo": (
        r"""(?P<comment>,\s(?:metadata|backend_config|frontend_attributes)=\{.*|^\d+\s.*)
        |(?P<type>\b(?:f|bf|[suc]|pred)\d*\[[^\]]*\](?:\{[^}]*\})?|\btoken\[\])
        |(?P<keyword>\b(?:HloModule|ENTRY|ROOT|FileNames|FunctionNames|FileLocations|StackFrames)\b)
        |(?P<name>(?<=\s)[a-z][a-z\d-]*(?=\())
        |(?P<string>"[^"]*")
        |(?P<number>(?<![\w.%])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?\b)""",
        re.VERBOSE,
    ),
}

MOST_COLOURED = 100_000
"""The most characters with colours; in a longer text, three quotes at its top would recolour too much."""
MOST_IN_LINE = 4000
"""Characters; a longer line of Python stays plain: each of its stretches would be laid out by itself."""
_IN_SINGLE, _IN_DOUBLE = 1, 2
_QUOTES = {_IN_SINGLE: "'''", _IN_DOUBLE: '"""'}


@functools.cache
def _pattern(form: Form) -> re.Pattern[str]:
    """Return the pattern of the token kinds of a program, compiled at first use because that is slow."""
    return re.compile(*_PROGRAM[form])


def formats(theme: Theme) -> dict[str, QTextCharFormat]:
    """Return the format of each kind of text, with the kind as its property KIND."""
    colours: dict[Kind, str] = {
        "keyword": theme.series[3],
        "string": theme.series[2],
        "comment": theme.dim,
        "number": theme.series[1],
        "name": theme.series[0],
        "type": theme.series[5],
    }
    made: dict[str, QTextCharFormat] = {}
    for kind, colour in colours.items():
        each = QTextCharFormat()
        each.setForeground(QColor(colour))
        each.setProperty(KIND, kind)
        made[kind] = each
    return made


def is_code(block: QTextBlock, column: int) -> bool:
    """Return whether the character at `column` of a highlighted Python line is outside strings and comments."""
    return not any(
        each.start <= column < each.start + each.length and each.format.property(KIND) in ("string", "comment")
        for each in block.layout().formats()
    )


class PythonHighlighter(QSyntaxHighlighter):
    """Colours Python. The state of a line says whether a triple-quoted string continues after it."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats = formats(LIGHT)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours of `theme` to all lines."""
        self._formats = formats(theme)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        place = 0
        state = self.previousBlockState()
        if len(text) > MOST_IN_LINE:
            self.setCurrentBlockState(max(state, 0))
            return
        if state in _QUOTES:
            place = self._rest_of_string(text, 0, 0, state)
        else:
            self.setCurrentBlockState(0)
        while place < len(text) and (match := PYTHON.search(text, place)):
            kind, place = str(match.lastgroup), match.end()
            if kind == "open":
                opened = _IN_SINGLE if match[0].endswith("'''") else _IN_DOUBLE
                place = self._rest_of_string(text, match.start(), match.end(), opened)
            elif kind != "keyword" or match[0] in keyword.kwlist:
                self._colour(text, match.start(), match.end(), kind)

    def _rest_of_string(self, text: str, start: int, inside: int, state: int) -> int:
        """Colour the string from `start` to its closing quotes after `inside`, and return the position after it."""
        close = text.find(_QUOTES[state], inside)
        end = close + 3 if close >= 0 else len(text)
        self.setCurrentBlockState(0 if close >= 0 else state)
        self._colour(text, start, end, "string")
        return end

    def _colour(self, text: str, start: int, end: int, kind: str) -> None:
        first = utf16_length(text[:start])
        self.setFormat(first, utf16_length(text[:end]) - first, self._formats[kind])


class ProgramHighlighter:
    """Colours lines of jaxprs, StableHLO and HLO as they come into sight: a program may have thousands.

    QSyntaxHighlighter asks about each line of a new text, which takes as long as to show it.
    """

    def __init__(self, form: Form = "jaxpr") -> None:
        self.form = form
        self._formats = formats(LIGHT)
        self._themes = 0

    def apply_theme(self, theme: Theme) -> None:
        self._formats = formats(theme)
        self._themes += 1

    def colour(self, line: QTextBlock) -> None:
        """Colour `line`, unless it has its colours and has not changed since."""
        state = self._themes << 16 | line.revision() & 0xFFFF
        if line.userState() == state:
            return
        line.setUserState(state)
        found = []
        for match in _pattern(self.form).finditer(line.text()):
            each = QTextLayout.FormatRange()
            each.start, each.length = match.start(), match.end() - match.start()
            each.format = self._formats[str(match.lastgroup)]
            found.append(each)
        line.layout().setFormats(found)
        line.document().markContentsDirty(line.position(), line.length())
