"""Reading a TOML sheet, with a sentence for each of its mistakes: the line, and what can stand there."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from explorer.scenario.texts import read

T = TypeVar("T")
MOST_MISTAKES = 20
"""Mistakes that one sheet reports."""
KINDS = {
    "object": 'a table, such as { en = "..." }',
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
}
"""The types of a sheet, in words."""
_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*([\w.\-]+)[ \t]*\]", re.MULTILINE)
_COMPLAINT = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?", re.DOTALL)
_PART = re.compile(r"\.(\w+)|\[(\d+)\]")


class SheetMistakes(ValueError):
    """A sheet that cannot be read; its text is a sentence for each mistake."""


def read_sheet(text: str, kind: type[T]) -> T:
    """Return the sheet in `text` as a record of `kind`. Raises SheetMistakes."""
    if mistakes := list(_unknown_tables(text, kind)):
        raise SheetMistakes(" ".join(mistakes))
    try:
        written = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # A number of too many digits is no error of TOML's, nor are lists in lists in lists.
        raise SheetMistakes(f"This is not valid TOML: {error}.") from error
    taken_out: list[list[str | int]] = []
    while len(mistakes) < MOST_MISTAKES:
        try:
            sheet = read(written, kind)
        except msgspec.ValidationError as error:
            found = _COMPLAINT.fullmatch(str(error))
            assert found is not None
            path = [name or int(number) for name, number in _PART.findall(found["path"] or "")]
            if absent := re.search("missing required field `(.*)`", found["what"]):
                if [*path, absent[1]] not in taken_out:
                    mistakes.append(_sentence(text, found["what"], path, kind))
                break
            mistakes.append(_sentence(text, found["what"], path, kind))
            # The next mistake may be anywhere else.
            taken_out.append(_taken_out(written, path, found["what"]))
        else:
            if not mistakes:
                return sheet
            break
    raise SheetMistakes(" ".join(mistakes))


def _unknown_tables(text: str, kind: type[Any]) -> Iterator[str]:
    """Yield a sentence for each table at the top of the sheet that `kind` does not have."""
    known = _fields(kind)
    for found in _HEADER.finditer(text):
        name = found[1].partition(".")[0]
        if name not in known:
            line = text.count("\n", 0, found.start(1)) + 1
            yield f"Line {line}: there is no table `{name}`{_or_rather(name, [*known])}"


def _sentence(text: str, what: str, path: Sequence[str | int], kind: type[Any]) -> str:
    """Return the mistake `what` at `path` of a sheet of `kind`, in words."""
    name = next((each for each in reversed(path) if isinstance(each, str)), "")
    line = _line(text, path, re.findall("`(.*?)`", what)[-1:])
    where = f"Line {line}: " if line else ""
    here = _type_at(kind, path)
    if unknown := re.search("unknown field `(.*)`", what):
        within = f" in `{name}`" if name else ""
        return f"{where}there is no `{unknown[1]}`{within}{_or_rather(unknown[1], [*_fields(here)])}"
    if (value := re.search("Invalid enum value (.*)", what)) and (choices := ", ".join(filter(None, _literals(here)))):
        return f"{where}`{name}` cannot be {value[1]}: write one of {choices}."
    if absent := re.search("missing required field `(.*)`", what):
        return f"{where}`{absent[1]}` is missing" + (f" in `{name}`." if name else ".")
    if types := re.search("Expected `(.*?)`(?: of `(.*)`)?, got `(.*)`", what):
        return f"{where}`{types[2] or name}` must be {KINDS.get(types[1], types[1])}."
    return f"{where}{what}" + (f", for `{name}`." if name else ".")


def _literals(kind: Any) -> Iterator[str]:
    """Yield the words that an entry of type `kind` can be."""
    for each in get_args(kind):
        if get_origin(kind) is Literal:
            yield str(each)
        else:
            yield from _literals(each)


def _or_rather(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean `{close[0]}`?" if close else f"; there is {', '.join(known)}." if known else "."


def _fields(kind: Any) -> dict[str, Any]:
    """Return the type of each field of the record `kind` by its name in a sheet; none for another type."""
    is_record = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return {each.encode_name: each.type for each in msgspec.structs.fields(kind)} if is_record else {}


def _type_at(kind: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        if isinstance(part, int):
            kind = next(iter(get_args(kind)), None)
        else:
            # A record that may be missing is one of a union.
            kind = next((fields[part] for each in (kind, *get_args(kind)) if part in (fields := _fields(each))), None)
    return kind


def _line(text: str, path: Sequence[str | int], names: Sequence[str]) -> int:
    """Return the line of `text`, counted from 1, of the entry at `path` or of one of `names` in it; 0 for none."""
    at = 0
    if len(path) > 1 and isinstance(path[1], int):
        headers = [each.start(1) for each in _HEADER.finditer(text) if each[1] == path[0]]
        at = headers[path[1]] if path[1] < len(headers) else 0
    for name in (*names, *(each for each in reversed(path) if isinstance(each, str))):
        if found := re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=", re.MULTILINE).search(text, at):
            return text.count("\n", 0, found.end()) + 1
    return text.count("\n", 0, at) + 1 if at else 0


def _taken_out(written: Any, path: Sequence[str | int], what: str) -> list[str | int]:
    """Remove the mistaken entry from `written` and return its path."""
    named = re.search("unknown field `(.*)`|Expected `.*` of `(.*)`,", what)
    whole = [*path, *([named[1] or named[2]] if named else [])]
    for part in whole[:-1]:
        written = written[part]
    del written[whole[-1]]
    return whole
