"""Jupyter notebooks as Python: the code cells in order, without IPython's lines; ``in_cell``, the cell of a line."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

ENDING = ".ipynb"
MOST_NAMED, LONGEST_NAMED = 2, 24
"""The most lines of IPython that are named, and characters of each."""
_LEFT_OUT = "# left out: "
_CELL = re.compile(r"# %% \[(\d+)\]")
_HEADING = re.compile(r"^#+ +(.{1,60})", re.MULTILINE)
_KEEPS_CODE = frozenset({"time", "capture"})
"""Magics of cells whose code the rest of the notebook needs; to time it again would use its keys again."""
_AROUND_CODE = re.compile(r"(%time)\s+(.+)")
_OF_IPYTHON = re.compile(r"[%!?]|[\w.]+\?{1,2}$|[\w, ]+=\s*[%!]")
_OPEN = re.compile(r"EOF in multi|unterminated triple-quoted")
"""Python's message about lines that the next one continues."""
_DISPLAY = re.compile(r"(?<![\w.])display\(")
_BRINGS_DISPLAY = re.compile(r"(?:import|def) .*\bdisplay\b|^\s*display\s*=", re.MULTILINE)


class NoProgram(ValueError):
    """A notebook without readable Python; the message says why, as the end of a sentence."""


class _Cell(msgspec.Struct):
    cell_type: str = ""
    source: str | list[str] = ""


class _Notebook(msgspec.Struct):
    nbformat: int = 0
    cells: list[_Cell] = []
    metadata: dict[str, object] = {}


def is_notebook(path: str | Path) -> bool:
    return str(path).lower().endswith(ENDING)


def program(content: bytes) -> str:
    """Return the code of the notebook in `content`: each cell below a line ``# %% [NUMBER]``. Raises NoProgram."""
    try:
        found = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"), type=_Notebook)
    except (ValueError, RecursionError) as error:
        raise NoProgram("is damaged, or is no notebook: its content cannot be read") from error
    if found.nbformat < 4:
        raise NoProgram("is no notebook of a format since 2014. Open it in Jupyter and save it there; then open it")
    language = found.metadata.get("language_info")
    name = language.get("name", "python") if isinstance(language, dict) else "python"
    if name not in ("python", "ipython"):
        raise NoProgram(f"is written in {name}; only Python is opened")
    cells = list(_cells(found.cells))
    if not cells:
        raise NoProgram("has no cell with code")
    using = next((at for at, cell in enumerate(cells) if _DISPLAY.search(cell)), len(cells))
    if using < len(cells) and not any(map(_BRINGS_DISPLAY.search, cells)):
        cells.insert(using, "from builtins import print as display")
    return "\n\n".join(cells) + "\n"


def _cells(cells: Sequence[_Cell]) -> Iterator[str]:
    number, title = 0, ""
    for cell in cells:
        text = cell.source if isinstance(cell.source, str) else "".join(cell.source)
        text = text.replace("\r\n", "\n").rstrip()
        if cell.cell_type == "markdown":
            heading = _HEADING.search(text)
            title = f" {heading[1].strip()}" if heading else title
        elif cell.cell_type == "code":
            number += 1
            if text:
                yield f"# %% [{number}]{title}\n{_python(text)}"
            title = ""


def _python(cell: str) -> str:
    """Return the code of `cell`, line for line, each line of IPython's as a comment."""
    lines = cell.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].partition(" ")[0].strip()
        lines[first] = f"{_LEFT_OUT}{lines[first]}"
        if name not in _KEEPS_CODE:
            return "\n".join(lines[: first + 1])
    if _is_python("\n".join(lines)):
        return "\n".join(lines)
    goes_on = False
    for at, line in enumerate(lines):
        words = line.lstrip()
        if goes_on:
            lines[at] = f"#   {words}"
        elif not _OF_IPYTHON.match(words) or _is_inside(lines[:at]):
            continue
        else:
            indent, around = line[: len(line) - len(words)], _AROUND_CODE.fullmatch(words)
            # In an indented block a comment may be all that is left of it.
            code = f"{around[2]}  " if around else "pass  " if indent else ""
            lines[at] = f"{indent}{code}{_LEFT_OUT}{around[1] if around else words}"
        goes_on = line.endswith("\\")
    return "\n".join(lines)


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _is_inside(lines: Sequence[str]) -> bool:
    """Return whether what follows `lines` continues a bracket, a text or a line."""
    if lines and lines[-1].endswith("\\"):
        return True
    try:
        for _ in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
            pass
    except tokenize.TokenError as error:
        return _OPEN.search(str(error.args[0])) is not None
    except SyntaxError:
        pass
    return False


def left_out_words(source: str) -> str:
    """Return the first lines of IPython that are left out of `source`; empty for none."""
    found = (line.partition(_LEFT_OUT)[2].rstrip(" \\") for line in source.split("\n") if _LEFT_OUT in line)
    lines = [f"{each[:LONGEST_NAMED]}…" if len(each) > LONGEST_NAMED else each for each in dict.fromkeys(found)]
    more = len(lines) - MOST_NAMED
    return ", ".join((*lines[:MOST_NAMED], *[f"+{more}"] * (more > 0)))


def in_cell(lines: Sequence[str], line: int) -> str:
    """Return the cell of `line` in a program of these `lines`, and the line in it, in words; empty outside of cells."""
    for at in range(min(line, len(lines)) - 1, -1, -1):
        if found := _CELL.match(lines[at]):
            return f"cell {found[1]}, line {line - 1 - at}"
    return ""
