"""Hover explains the name or equation at pointer or cursor, and marks all uses of the name, found by JaxprNames."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, Signal

import resources
from explorer.messages import Equation, Program
from explorer.scenario.texts import Texts, read
from explorer.text.josa import filled
from explorer.text.text import chosen_language
from views.parts.labels import ElidedLabel
from views.program.folds import VisibleLines
from views.program.program_text import Place, ProgramText

_WORD = re.compile(r"(?<![\w.:=<@-])[a-z]+(?![\w=<\[.-])|(?<![\w.:=<@-])[a-z]+(?=\. let)")
_NAME_TYPE = re.compile(r"(\S+?)(?=\.? |\.?$)", re.MULTILINE)
_LITERALS = ("inf", "nan")
"""Numbers, whatever their look: operands have a type only where they are numbers, as in ``inf:f32[]``."""


class Name(msgspec.Struct, frozen=True):
    """One variable. JAX gives each its own name; an inner jaxpr reuses a name for the same value."""

    text: str
    type: str
    """As JAX writes it: ``f32[32,10]``."""
    row: int
    """The line of the text that gives it its value, from 0."""
    uses: tuple[tuple[int, int], ...]
    """Its other positions: (line, column), both from 0, in the order of the text."""
    column: int
    """Its column in `row`."""


class JaxprNames:
    """Finds names in one text on request: nothing is prepared while a user types."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []

    def at(self, row: int, column: int) -> Name | None:
        """Return the variable at this position, None where there is none."""
        if not self._starts:
            self._starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        if row >= len(self._starts):
            return None
        start = self._starts[row]
        end = self._text.find("\n", start)
        for word in _WORD.finditer(self._text[start : end if end >= 0 else None]):
            if word.start() <= column < word.end():
                return self._named(word[0])
        return None

    def _named(self, name: str) -> Name | None:
        """Return the variable called `name`, None where it has no binding."""
        bound = self._binding(name)
        if bound is None:
            return None
        definition, type_ = bound
        pattern = re.compile(rf"(?<![\w.:=<@-]){name}(?![\w=<\[.-])|(?<![\w.:=<@-]){name}(?=\. let)")
        found = [match.start() for match in pattern.finditer(self._text)]
        uses = tuple(self._place(place) for place in found if place != definition)
        row, column = self._place(definition)
        return Name(name, type_, row, uses, column)

    def _binding(self, name: str) -> tuple[int, str] | None:
        """Return the position of the binding of `name`, and its type."""
        # A plain search comes first: a pattern takes a hundred times as long in a text of megabytes.
        place = self._text.find(f" {name}:")
        if place < 0 or name in _LITERALS:
            return None
        match = _NAME_TYPE.match(self._text, place + len(name) + 2)
        return (place + 1, match[1]) if match else None

    def _place(self, position: int) -> tuple[int, int]:
        row = bisect_right(self._starts, position) - 1
        return row, position - self._starts[row]


_TYPE = re.compile(r"(key<\w+>|[a-z]+\d*\w*)\[([^\]]*)\]")
_DTYPES = {"f": "float", "bf": "bfloat", "i": "int", "u": "uint", "c": "complex"}


def about_name(name: Name, maker: Equation | None) -> str:
    """Return the type of variable `name`, its maker (None: an argument) and the number of its uses."""
    if maker is None:
        made = QCoreApplication.translate("program_hover", "passed in on line {} of this text").format(name.row + 1)
    else:
        made = filled(
            QCoreApplication.translate("program_hover", "made by {primitive} on line {row} of this text"),
            primitive=maker.primitive,
            row=name.row + 1,
        )
    uses = len(name.uses)
    if uses == 0:
        used = QCoreApplication.translate("program_hover", "used nowhere")
    elif uses == 1:
        used = QCoreApplication.translate("program_hover", "used once")
    else:
        used = QCoreApplication.translate("program_hover", "used {} times").format(uses)
    return f"{name.text}: {type_in_words(name.type)}; {made}; {used}"


def type_in_words(written: str) -> str:
    """Return a type that JAX writes as ``f32[32,10]`` as "float32, shape (32, 10)"; another as it is."""
    match = _TYPE.fullmatch(written)
    if match is None:
        return written
    lengths = [each for each in match[2].split(",") if each]
    if match[1].startswith("key<"):
        dtype = QCoreApplication.translate("program_hover", "random key, {}").format(match[1])
    else:
        letters = match[1].rstrip("0123456789")
        dtype = _DTYPES.get(letters, letters) + match[1][len(letters) :]
    if not lengths:
        return QCoreApplication.translate("program_hover", "{}, a single value").format(dtype)
    shape = f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
    return QCoreApplication.translate("program_hover", "{dtype}, shape {shape}").format(dtype=dtype, shape=shape)


@cache
def _primitives() -> dict[str, Texts]:
    file = Path(resources.__file__).parent / "primitives.toml"
    return read(tomllib.loads(file.read_text(encoding="utf-8")), dict[str, Texts])


def about_primitive(name: str) -> str:
    """Return a sentence about the effect of the primitive `name`; "" for one that is not in the table."""
    words = _primitives().get(name)
    return words.text(chosen_language()) if words else ""


def about_equation(equation: Equation, line: int) -> str:
    """Return the effect of `equation` and its code line (0: none of its own), a sentence for each line."""
    headline = f"{equation.primitive} → {equation.output}" if equation.output else equation.primitive
    sentence = about_primitive(equation.primitive) or QCoreApplication.translate(
        "program_hover", "This operation has no description yet; name and types are JAX's own."
    )
    if line:
        origin = origin_of(line)
    elif equation.depth:
        origin = QCoreApplication.translate("program_hover", "inside the library, for several lines of the code")
    else:
        origin = QCoreApplication.translate("program_hover", "JAX knows no line of the code for this")
    return "\n".join((headline, sentence, origin))


def origin_of(line: int) -> str:
    """Return the words for code line `line`, such as "from line 3"; empty for 0."""
    return QCoreApplication.translate("program_hover", "from line {} of the code").format(line) if line else ""


MOST_UNDERLAID = 500
"""Places of one name that are underlaid; beyond, drawing them would be felt."""


class Hover(QObject):
    """Highlights all uses of the current name, and explains it in a tip and below the text.

    Signals:
        name_reached: the name that the user clicked or reached by keys, '' for none.
    """

    name_reached = Signal(str)

    def __init__(self, text: ProgramText, below: ElidedLabel) -> None:
        super().__init__(text)
        self._text = text
        self._below = below
        self._program = Program("jaxpr", "")
        self._equation_of_row: Sequence[int] = ()
        self._shown = VisibleLines()
        self._names = JaxprNames("")
        self._cursor: Place | None = None
        self._named: Name | None = None
        text.pointed_at.connect(self._on_pointed_at)
        text.cursor_at.connect(self._on_cursor_at)
        text.tip_of_place = self.words_at

    def take(self, program: Program, equation_of_row: Sequence[int], shown: VisibleLines) -> None:
        """Explain `program` from now on; `shown` is its visible part."""
        if program is not self._program:
            self._names = JaxprNames(program.text if program.form == "jaxpr" else "")
        self._program, self._equation_of_row, self._shown = program, equation_of_row, shown
        self._underlay(None)
        if self._cursor is not None and self._cursor[0] >= len(shown.rows):
            self._cursor = None
        self._below.show_text(self._line_at(self._cursor))

    def words_at(self, place: Place) -> str:
        """Return the explanation of `place`, a sentence for each line."""
        name, equation = self._name_at(place), self._equation_at(place)
        words = [about_name(name, self._maker(name))] if name else []
        line = self._line_of(place)
        words.append(about_equation(equation, line) if equation else origin_of(line))
        return "\n".join(filter(None, words))

    def _on_pointed_at(self, place: Place | None) -> None:
        at = place if place is not None and (self._name_at(place) or self._equation_at(place)) else self._cursor
        self._tell(at)

    def _on_cursor_at(self, place: Place) -> None:
        self._cursor = place
        self._tell(place)
        name = self._name_at(place)
        self.name_reached.emit(name.text if name else "")

    def _tell(self, place: Place | None) -> None:
        self._underlay(self._name_at(place) if place else None)
        self._below.show_text(self._line_at(place))

    def _line_at(self, place: Place | None) -> str:
        """Return a one-line explanation of `place`: of the variable, else of the equation."""
        if place is None:
            return ""
        name = self._name_at(place)
        if name is not None:
            return about_name(name, self._maker(name))
        equation = self._equation_at(place)
        return ". ".join(about_equation(equation, self._line_of(place)).split("\n")[:2]) if equation else ""

    def _underlay(self, name: Name | None) -> None:
        if name is self._named or name == self._named:
            return
        self._named = name
        shown = self._shown
        stands = [(name.row, name.column), *name.uses[: MOST_UNDERLAID - 1]] if name else []
        length = len(name.text) if name else 0
        places: list[tuple[Place, int]] = []
        definition = -1
        for number, (row, column) in enumerate(stands):
            at = shown.row_of(row)
            if shown.rows[at] == row:
                definition = 0 if number == 0 else definition
                places.append(((at, column), length))
        self._text.highlight(places, definition)

    def _name_at(self, place: Place) -> Name | None:
        row, column = place
        return self._names.at(self._shown.rows[row], column) if row < len(self._shown.rows) else None

    def _equation_at(self, place: Place) -> Equation | None:
        row = self._shown.rows[place[0]] if place[0] < len(self._shown.rows) else -1
        number = self._equation_of_row[row] if 0 <= row < len(self._equation_of_row) else -1
        return self._program.equations[number] if number >= 0 else None

    def _line_of(self, place: Place) -> int:
        return self._text.marks.origin(place[0])

    def _maker(self, name: Name) -> Equation | None:
        """Return the equation with output `name`; None for an argument, whose jaxpr begins on that line."""
        number = self._equation_of_row[name.row] if name.row < len(self._equation_of_row) else -1
        if number < 0:
            return None
        equation = self._program.equations[number]
        return equation if equation.first_line == name.row else None
