"""The number of lines of each room only falls: ``tests/budget.toml`` has the most that each may have.

Whoever adds to a room makes space in it, or raises its number in the same commit and says why there.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUDGET = Path(__file__).with_name("budget.toml")
SLACK = 1.03
"""How far a number may stand above what it counts: a cut lowers it, and later growth is seen."""


def counted() -> dict[str, int]:
    """Return the lines of Python in each room, and the number of modules of `explorer` and `views`."""
    lines: Counter[str] = Counter()
    modules = 0
    for top in ("explorer", "views", "tests"):
        for path in (ROOT / top).rglob("*.py"):
            parts = path.relative_to(ROOT).parts[:-1]
            room = "/".join(parts[: 3 if parts[:2] == ("explorer", "worker") else 2])
            lines[room] += len(path.read_text(encoding="utf-8").splitlines())
            modules += top != "tests"
    return dict(sorted(lines.items())) | {"modules": modules}


def test_no_room_grows_and_a_cut_lowers_its_number() -> None:
    budget, found = tomllib.loads(BUDGET.read_text(encoding="utf-8")), counted()
    wanted = "".join(f'"{room}" = {number}\n' for room, number in found.items())
    grown = {room: number for room, number in found.items() if number > budget.get(room, 0)}
    slack = {room: number for room, number in budget.items() if number > SLACK * found.get(room, 0) + 20}
    assert (grown, slack) == ({}, {}), f"what is there now:\n{wanted}"
