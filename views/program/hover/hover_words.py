"""Descriptions of the name or equation at the pointer or the cursor in a program text."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from explorer.messages import Equation
from explorer.text.josa import filled
from views.program.hover.jaxpr_names import Name
from views.program.hover.primitive_words import about_primitive

_TYPE = re.compile(r"(key<\w+>|[a-z]+\d*\w*)\[([^\]]*)\]")
_DTYPES = {
    "f": "float",
    "bf": "bfloat",
    "i": "int",
    "u": "uint",
    "c": "complex",
}


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
    if not name.is_whole:
        used = QCoreApplication.translate("program_hover", "used {} times near here").format(uses)
    elif uses == 0:
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
