"""The line in user code for each line of StableHLO and HLO text, from JAX's location metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

IsUserCode = Callable[[str], bool]

# -- StableHLO: `#loc4 = loc("file":3:13 to :34)`, and references to it behind each operation -----------------

_DEFINITION = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
_REFERENCE = re.compile(r"#loc\d*")
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):\d+')
_FUNCTION = re.compile(r"\s*func\.func .*?@([\w.$-]+)")
_CALL = re.compile(r"\bcall @([\w.$-]+)")


def stablehlo_lines(text: str, located: str, is_user_code: IsUserCode) -> tuple[int, ...]:
    """Return the line in user code for each line of `text` (0: none).

    `located` is the same module printed with locations: the same lines, and one more per location. A private function
    that is called from a single line takes that line where it has none.
    """
    definitions: dict[str, str] = {}
    body: list[str] = []
    for row in located.splitlines():
        if definition := _DEFINITION.match(row):
            definitions[definition[1]] = definition[2]
        else:
            body.append(row)
    rows = text.splitlines()
    if len(body) != len(rows):
        return (0,) * len(rows)
    resolve = _Locations(definitions, is_user_code).line
    lines = [resolve(row.rpartition(" loc(")[2]) for row in body]
    _give_openers_the_line_of_their_end(rows, lines)
    _give_functions_the_line_of_their_caller(rows, lines)
    return tuple(lines)


class _Locations:
    """Resolver of MLIR locations, which refer to each other by name."""

    def __init__(self, definitions: dict[str, str], is_user_code: IsUserCode) -> None:
        self._definitions = definitions
        self._is_user_code = is_user_code
        self._lines: dict[str, int] = {}

    def line(self, location: str) -> int:
        """Return the line in user code of `location`, innermost frame first; 0 for none."""
        place = _PLACE.search(location)
        if place and self._is_user_code(place[1]):
            return int(place[2])
        return next((line for name in _REFERENCE.findall(location) if (line := self._named(name))), 0)

    def _named(self, name: str) -> int:
        if name not in self._lines:
            self._lines[name] = 0  # Also ends a cycle, should one occur.
            self._lines[name] = self.line(self._definitions.get(name, ""))
        return self._lines[name]


def _give_openers_the_line_of_their_end(rows: list[str], lines: list[int]) -> None:
    """Give operations with regions the location behind their last brace: `while ... { ... } loc(...)`."""
    open_rows: list[list[int]] = []
    for number, row in enumerate(rows):
        bare = row.strip()
        if bare.startswith("}") and open_rows:
            if bare.endswith("{"):
                open_rows[-1].append(number)
                continue
            for opener in open_rows.pop():
                lines[opener] = lines[opener] or lines[number]
        elif bare.endswith("{"):
            # `cond {` stands alone below the `while` that it belongs to.
            open_rows.append([number - 1, number] if bare == "cond {" else [number])


def _give_functions_the_line_of_their_caller(rows: list[str], lines: list[int]) -> None:
    bodies: dict[str, list[int]] = {}
    callers: dict[str, set[int]] = {}
    inside = ""
    for number, row in enumerate(rows):
        if function := _FUNCTION.match(row):
            inside = function[1]
        bodies.setdefault(inside, []).append(number)
    # Functions call functions: each pass hands the lines down by one call.
    for _ in bodies:
        before = list(lines)
        callers.clear()
        for number, row in enumerate(rows):
            if call := _CALL.search(row):
                callers.setdefault(call[1], set()).add(lines[number])
        for name, found in callers.items():
            if len(found) == 1:
                line = next(iter(found))
                for number in bodies.get(name, ()):
                    lines[number] = lines[number] or line
        if lines == before:
            return


# -- HLO: tables of files, places and frames in front, `stack_frame_id=7` behind each instruction --------------

_FILE = re.compile(r'^(\d+) "(.*)"$')
_LOCATION = re.compile(r"^(\d+) \{file_name_id=(\d+) .*?\bline=(\d+)")
_FRAME = re.compile(r"^(\d+) \{file_location_id=(\d+)(?: parent_frame_id=(\d+))?")
_FRAME_OF_INSTRUCTION = re.compile(r"\bstack_frame_id=(\d+)")


def hlo_lines(text: str, is_user_code: IsUserCode) -> tuple[int, ...]:
    """Return the line in user code for each line of HLO `text` (0: none)."""
    rows = text.splitlines()
    tables = {name: list(_table(rows, name)) for name in ("FileNames", "FileLocations", "StackFrames")}
    files = {m[1]: m[2] for row in tables["FileNames"] if (m := _FILE.match(row))}
    places = {m[1]: (files.get(m[2], ""), int(m[3])) for row in tables["FileLocations"] if (m := _LOCATION.match(row))}
    frames = {int(m[1]): (m[2], int(m[3] or 1)) for row in tables["StackFrames"] if (m := _FRAME.match(row))}

    def line_of(frame: int) -> int:
        while frame in frames:
            place, parent = frames[frame]
            filename, line = places.get(place, ("", 0))
            if is_user_code(filename):
                return line
            frame = parent - 1  # XLA stores the parent plus one; 1 is none.
        return 0

    known = {frame: line_of(frame) for frame in frames}
    found = (_FRAME_OF_INSTRUCTION.search(row) for row in rows)
    return tuple(known.get(int(match[1]), 0) if match else 0 for match in found)


def _table(rows: list[str], title: str) -> Iterator[str]:
    """Yield the rows of the table `title`, which ends at an empty line."""
    start = rows.index(title) + 1 if title in rows else len(rows)
    for row in rows[start:]:
        if not row:
            return
        yield row
